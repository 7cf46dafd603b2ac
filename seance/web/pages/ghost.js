// The ghost's seat. Every tap is a command; what the house answers is shown, and nothing is guessed here.
import { stayAwake } from "/static/awake.js";
import { listen } from "/static/live.js";
import { find, h, hourMark, hourName, keepLanguage, learn, minutes, post, say, write } from "/static/page.js";
import { drawPsychics } from "/static/ghost_rows.js";

let state = null;
let chosen = null; // the row that was touched: a psychic's colour, or the number of a group of nobody's
let count = 1;
let cards = []; // of the hand, in the order they were touched
let pending = null; // what is asked back: {command, text}
let moment = ""; // phase and hour when it was asked
let told = ""; // what the house has whispered since the last touch
let sandAt = 0;

const $ = (id) => document.getElementById(id);

// Sitting down

function showSeat(mine) {
  $("sit").hidden = mine;
  $("seat").hidden = !mine;
}

function standOutside({ seat, night }) {
  const how = night?.outcome ? `outcome_${night.outcome.reason}` : seat === "asked" ? "sit_asked" : "sit_free";
  write($("sit-told"), say(how));
  $("sit-down").hidden = seat === "asked";
  $("sit-chronicle").hidden = !night?.outcome;
}

function outside() {
  if (state?.mine) write($("sit-told"), say("sit_gone"));
  state = null;
  $("sit-down").hidden = false;
  showSeat(false);
}

$("sit-down").addEventListener("click", async () => {
  stayAwake();
  const answer = await post("/ghost/sit");
  if (answer.ok) stream.again();
  else write($("sit-told"), answer.message);
});

// What the house tells

function hear(next) {
  learn(next.words);
  keepLanguage(next.language);
  state = next;
  sandAt = performance.now();
  showSeat(Boolean(next.mine));
  if (!next.mine) {
    standOutside(next);
    return;
  }
  const now = `${next.night?.phase} ${next.night?.hour}`;
  if (now !== moment) [pending, told] = [null, ""]; // what was asked back then means something else now
  moment = now;
  cards = cards.filter((card) => next.hand?.includes(card));
  draw();
}

function whisper(text) {
  told = text;
  drawWhisper();
}

function drawWhisper() {
  write($("whisper"), told || pending?.text || resting());
}

/** Return what the ghost is waited for, or what it waits for. */
function resting() {
  const night = state?.night;
  if (!night) return say("hint_none");
  if (night.outcome) return say(`outcome_${night.outcome.reason}`);
  if (night.phase === "visions" && state.may?.includes("turn_sand")) return say("hint_sand");
  return say(`hint_${night.phase}`);
}

// What the ghost sees

function draw() {
  const night = state.night;
  write($("hour"), night ? hourMark(night.hour, state.time) : "–");
  $("hour").setAttribute("aria-label", night ? hourName(night.hour, state.time) : "");
  write($("phase"), state.paused ? say("paused") : say(`phase_${night?.phase ?? "none"}`));
  write($("crows"), say("crows", { n: night?.crows_left ?? "–" }));
  drawPsychics($("psychics"), state, chosen, choose);
  drawHand();
  write($("counted"), count === 1 ? say("ghost_card") : say("ghost_cards", { n: count }));
  write($("yes"), say(state.deal === "hand" ? "do_yes" : "do_reveal"));
  write($("pause"), say(state.paused ? "do_resume" : "do_pause"));
  allow();
  drawWhisper();
  drawSand();
}

function allow() {
  const may = (name) => !state.paused && (state.may ?? []).includes(name);
  const now = {
    vision: may("give_vision"),
    crow: may("use_crow"),
    yes: may("manifest"),
    no: may("manifest") && state.deal === "hand",
    turn: may("turn_sand"),
    culprit: may("choose_culprit"),
    lay: may("lay_shared_vision"),
    pause: Boolean(state.night && !state.night.outcome),
    "do-it": pending !== null,
    "do-not": pending !== null,
  };
  for (const [id, allowed] of Object.entries(now)) $(id).setAttribute("aria-disabled", String(!allowed));
}

function drawHand() {
  const dealt = Array.isArray(state.hand);
  $("count").hidden = dealt;
  $("hand").hidden = !dealt;
  if (!dealt) return;
  const buttons = [...$("hand").children];
  while (buttons.length < state.hand.length) {
    const button = h("button", { type: "button" });
    button.addEventListener("click", () => touchCard(Number(button.dataset.card)));
    $("hand").append(button);
    buttons.push(button);
  }
  buttons.forEach((button, at) => {
    const card = state.hand[at];
    button.hidden = card === undefined;
    button.dataset.card = card;
    button.setAttribute("aria-pressed", String(cards.includes(card)));
    write(button, card === undefined ? "" : String(card));
  });
}

function drawSand() {
  const sand = state?.sand;
  const running = sand?.running && !state.paused;
  const left = sand ? Math.max(0, sand.left - (running ? (performance.now() - sandAt) / 1000 : 0)) : null;
  write($("sand-left"), sand ? minutes(left) : "–:––");
  $("sand").setAttribute("aria-label", sand ? say("sand_label", { left: minutes(left) }) : say("sand_none"));
  const x = sand ? (100 * left) / sand.of : 100;
  $("grain").setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
}

// What the ghost does

function choose(row) {
  chosen = chosen === row ? null : row;
  leave();
}

function leave() {
  [pending, told] = [null, ""];
  draw();
}

function touchCard(card) {
  cards = cards.includes(card) ? cards.filter((other) => other !== card) : [...cards, card];
  leave();
}

function step(by) {
  count = Math.min(7, Math.max(1, count + by));
  leave();
}

async function ask(command) {
  [pending, chosen, cards, count] = [null, null, [], 1];
  draw();
  stayAwake();
  const answer = await post("/ghost/command", command);
  if (!answer.ok) whisper(answer.message);
}

function askBack(command, text) {
  pending = { command, text };
  allow();
  drawWhisper();
}

const listed = () => cards.join(", ");
const psychic = () => state.night?.psychics.find((each) => each.colour === chosen);
const group = () => state.night?.groups.find((each) => each.psychic === chosen || each.group === chosen);

function vision() {
  if (!psychic()) return whisper(say("first_choose_psychic"));
  if (!state.hand) return ask({ command: "give_vision", psychic: chosen, count });
  if (!cards.length) return whisper(say("first_choose_cards"));
  askBack({ command: "give_vision", psychic: chosen, cards }, say("ask_vision_cards", { cards: listed(), psychic: say(chosen) }));
}

function crow() {
  if (!state.hand) return askBack({ command: "use_crow", ...(state.crow === "any" ? { count } : {}) }, say("ask_crow"));
  if (state.crow === "hand") return askBack({ command: "use_crow" }, say("ask_crow_hand"));
  if (!cards.length) return whisper(say("first_choose_cards"));
  askBack({ command: "use_crow", cards }, say("ask_crow_cards", { cards: listed() }));
}

function answer(correct) {
  if (!psychic()) return whisper(say("first_choose_psychic"));
  if (state.deal !== "hand") return ask({ command: "manifest", psychic: chosen });
  const card = psychic().intuition ?? "–";
  askBack({ command: "manifest", psychic: chosen, correct },
    say(correct ? "ask_yes" : "ask_no", { psychic: say(chosen), card }));
}

function culprit() {
  if (!group()) return whisper(say("first_choose_group"));
  askBack({ command: "choose_culprit", group: group().group }, say("ask_culprit", { n: group().group }));
}

function lay() {
  if (!state.hand) return askBack({ command: "lay_shared_vision" }, say("ask_lay"));
  if (cards.length !== 3) return whisper(say("first_choose_three"));
  askBack({ command: "lay_shared_vision", cards }, say("ask_lay_cards", { cards: listed() }));
}

async function pause() {
  const answer = await post("/ghost/control", { control: state.paused ? "resume" : "pause" });
  if (!answer.ok) whisper(answer.message);
}

const ACTS = {
  vision,
  crow,
  yes: () => answer(true),
  no: () => answer(false),
  turn: () => ask({ command: "turn_sand" }),
  culprit,
  lay,
  pause,
  fewer: () => step(-1),
  more: () => step(1),
  "do-it": () => pending && ask(pending.command),
  "do-not": leave,
};
for (const [id, does] of Object.entries(ACTS)) {
  $(id).addEventListener("click", () => {
    told = "";
    if (state) does();
  });
}

// The line to the house

function touch(there) {
  if (!state?.mine) return;
  if (!there) whisper(say("lost_touch"));
  else if (told === say("lost_touch")) told = "";
}

const stream = listen("/ghost/events", {
  hear: { state: hear, whisper: ({ text }) => state?.mine && whisper(text) },
  touch,
  refused: outside,
});
setInterval(drawSand, 1000);
document.addEventListener("visibilitychange", () => state?.mine && stayAwake());
find("#seat").addEventListener("pointerdown", stayAwake, { once: true });
