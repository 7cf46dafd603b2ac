// The ghost's page: every tap is a command, and the answer comes with the next state.
import { stayAwake } from "/static/awake.js";
import { setHelp } from "/static/help.js";
import { listen } from "/static/live.js";
import { find, h, hourMark, hourName, reloadOnNewLanguage, setWords, minutes, numberWord, post, say, write } from "/static/page.js";
import { drawPsychics } from "/static/ghost_rows.js";

let state = null;
let chosen = null; // the selected row: a psychic's colour, or the number of an unowned group
let count = 1;
let cards = []; // selected cards of the hand, in the order of selection
let pending = null; // the command to be confirmed: {command, text}
let moment = ""; // phase and hour of the last state
let servedBefore = ""; // who had a vision in the last state
let whispered = ""; // the last whisper, until the next tap
let stateAt = 0; // ms
let stepAt = 0; // ms; when the phase began or the last vision was given

const LONG_THOUGHT_MS = 60_000; // after which the ghost is told that the house can suggest whom to serve

const $ = (id) => document.getElementById(id);

// Sitting down

function showSeat(mine) {
  $("sit").hidden = mine;
  $("seat").hidden = !mine;
}

let claiming = false;

function showSeatRequest({ seat, night, mark, given }) {
  const asked = mark ? "sit_asked" : "seat_asked_by_other";
  const key = night?.outcome ? `outcome_${night.outcome.reason}` : seat === "asked" ? asked : "sit_free";
  if (!given) write($("sit-told"), say(key));
  write($("sit-mark"), mark ?? "");
  $("sit-mark").hidden = !mark;
  $("sit-down").hidden = given || seat === "asked";
  if (given && !claiming) claim();
  $("sit-chronicle").hidden = !night?.outcome;
}

function leaveSeat() {
  if (state?.mine) write($("sit-told"), say("sit_gone"));
  state = null;
  $("sit-down").hidden = false;
  $("sit-mark").hidden = true;
  showSeat(false);
}

/** Exchange the cookie of the request for the seat's own: the first one is worthless from then on. */
async function claim() {
  claiming = true;
  const answer = await post("/ghost/sit");
  claiming = false;
  if (answer.ok) stream.reconnect();
  else write($("sit-told"), answer.message);
}

$("sit-down").addEventListener("click", async () => {
  stayAwake();
  const answer = await post("/ghost/sit");
  if (answer.ok) stream.reconnect();
  else write($("sit-told"), answer.message);
});

// States and whispers

function showState(next) {
  setWords(next.words, next.edition);
  reloadOnNewLanguage(next.language);
  state = next;
  stateAt = performance.now();
  setHelp(next.help);
  showSeat(Boolean(next.mine));
  if (!next.mine) {
    showSeatRequest(next);
    return;
  }
  const now = `${next.night?.phase} ${next.night?.hour}`;
  const served = next.served.join();
  if (now !== moment || served !== servedBefore || next.paused) stepAt = stateAt;
  servedBefore = served;
  if (now !== moment) [pending, whispered] = [null, ""]; // it would mean something else now
  moment = now;
  cards = cards.filter((card) => next.hand?.includes(card));
  draw();
}

function whisper(text) {
  whispered = text;
  drawWhisper();
}

function drawWhisper() {
  write($("next"), nextStep());
  write($("whisper"), whispered || pending?.text || "");
}

/** Return what the ghost is to do now, or waits for. */
function nextStep() {
  const night = state?.night;
  if (!night) return say("hint_none");
  if (night.outcome) return say("phase_over");
  if (state.paused) return say("why_paused");
  if (pending) return say("hint_confirm");
  if (night.phase !== "visions") return say(`hint_${night.phase}`);
  if (state.may?.includes("turn_sand")) return say("hint_sand");
  if (performance.now() - stepAt > LONG_THOUGHT_MS) return say("hint_slow");
  return say(state.hand ? "hint_visions_dealt" : "hint_visions");
}

// Drawing

function draw() {
  const night = state.night;
  write($("hour"), night ? hourMark(night.hour) : "–");
  $("hour").setAttribute("aria-label", night ? hourName(night.hour) : "");
  write($("phase"), state.paused ? say("paused") : say(`phase_${night?.phase ?? "none"}`));
  write($("crows"), say("crows", { n: night?.crows_left ?? "–" }));
  drawPsychics($("psychics"), state, chosen, choose);
  drawHand();
  write($("counted"), say("ghost_cards", { n: count }));
  write($("yes"), say(state.deal === "hand" ? "do_yes" : "do_reveal"));
  write($("pause"), say(state.paused ? "do_resume" : "do_pause"));
  updateButtons();
  drawWhisper();
  drawSand();
}

function updateButtons() {
  const may = (name) => !state.paused && (state.may ?? []).includes(name);
  const now = {
    vision: may("give_vision"),
    crow: may("use_crow"),
    yes: may("manifest"),
    no: may("manifest") && state.deal === "hand",
    turn: may("turn_sand"),
    culprit: may("choose_culprit"),
    lay: may("lay_shared_vision"),
    serve: !state.paused && Boolean(state.serve),
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
  const left = sand ? Math.max(0, sand.left - (running ? (performance.now() - stateAt) / 1000 : 0)) : null;
  write($("sand-left"), sand ? minutes(left) : "–:––");
  $("sand").setAttribute("aria-label", sand ? say("sand_label", { left: minutes(left) }) : say("sand_none"));
  const x = sand ? (100 * left) / sand.of : 100;
  $("grain").setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
}

// Actions

function choose(row) {
  chosen = chosen === row ? null : row;
  cancel();
}

function cancel() {
  [pending, whispered] = [null, ""];
  draw();
}

function touchCard(card) {
  cards = cards.includes(card) ? cards.filter((other) => other !== card) : [...cards, card];
  cancel();
}

function changeCount(by) {
  count = Math.min(state.most_visions, Math.max(1, count + by));
  cancel();
}

async function send(command) {
  [pending, chosen, cards, count] = [null, null, [], 1];
  draw();
  stayAwake();
  const answer = await post("/ghost/command", command);
  if (!answer.ok) whisper(answer.message);
}

function askToConfirm(command, text) {
  pending = { command, text };
  updateButtons();
  drawWhisper();
}

const cardList = () => cards.join(", ");
const psychic = () => state.night?.psychics.find((each) => each.colour === chosen);
const group = () => state.night?.groups.find((each) => each.psychic === chosen || each.group === chosen);

function vision() {
  if (!psychic()) return whisper(say("first_choose_psychic"));
  if (!state.hand) return send({ command: "give_vision", psychic: chosen, count });
  if (!cards.length) return whisper(say("first_choose_cards"));
  askToConfirm({ command: "give_vision", psychic: chosen, cards }, say("ask_vision_cards", { cards: cardList(), psychic: say(chosen) }));
}

/** Tell whom the ghost might serve next, and why, and select that row. */
function serve() {
  const [colour, reason] = state.serve;
  chosen = colour;
  cancel();
  whisper(say(`serve_${reason}`, { psychic: say(colour) }));
}

function crow() {
  if (!state.hand) return askToConfirm({ command: "use_crow", ...(state.crow === "any" ? { count } : {}) }, say("ask_crow"));
  if (state.crow === "hand") return askToConfirm({ command: "use_crow" }, say("ask_crow_hand"));
  if (!cards.length) return whisper(say("first_choose_cards"));
  askToConfirm({ command: "use_crow", cards }, say("ask_crow_cards", { cards: cardList() }));
}

function answer(correct) {
  if (!psychic()) return whisper(say("first_choose_psychic"));
  if (state.deal !== "hand") return send({ command: "manifest", psychic: chosen });
  const card = psychic().intuition ?? "–";
  if (psychic().answered) return correct === psychic().found.includes(card) ? whisper(say("answered")) : askToConfirm(
    { command: "correct_answer", psychic: chosen }, say(correct ? "ask_correct_yes" : "ask_correct_no", { psychic: say(chosen), card }));
  askToConfirm({ command: "manifest", psychic: chosen, correct },
    say(correct ? "ask_yes" : "ask_no", { psychic: say(chosen), card }));
}

function culprit() {
  if (!group()) return whisper(say("first_choose_group"));
  askToConfirm({ command: "choose_culprit", group: group().group }, say("ask_culprit", { n: group().group }));
}

function lay() {
  if (!state.hand) return askToConfirm({ command: "lay_shared_vision" }, say("ask_lay"));
  const needed = state.shared_vision_cards;
  if (cards.length !== needed) return whisper(say(needed === 1 ? "first_choose_cards" : "first_choose_shared", { n: numberWord(needed) }));
  askToConfirm({ command: "lay_shared_vision", cards }, say("ask_lay_cards", { cards: cardList() }));
}

/** Return why a struck-through button does nothing now; "" where it works, or where the house says it better. */
function reasonAgainst(id) {
  if ($(id).getAttribute("aria-disabled") !== "true" || id === "turn") return "";
  if (state.paused && !id.startsWith("do-")) return say("why_paused");
  if (id === "no" && state.deal !== "hand") return say("why_no_dealt");
  if (id === "crow" && state.night?.crows_left === 0) return say("why_crow_none");
  return say(`why_${id.replace("-", "_")}`);
}

async function pause() {
  const answer = await post("/ghost/control", { control: state.paused ? "resume" : "pause" });
  if (!answer.ok) whisper(answer.message);
}

const ACTIONS = {
  vision,
  crow,
  serve,
  yes: () => answer(true),
  no: () => answer(false),
  turn: () => send({ command: "turn_sand" }),
  culprit,
  lay,
  pause,
  fewer: () => changeCount(-1),
  more: () => changeCount(1),
  "do-it": () => pending && send(pending.command),
  "do-not": cancel,
};
for (const [id, act] of Object.entries(ACTIONS)) {
  $(id).addEventListener("click", () => {
    whispered = "";
    const reason = state && reasonAgainst(id);
    if (reason) whisper(reason);
    else if (state) act();
  });
}

// The connection

function showConnection(connected) {
  if (!state?.mine) return;
  if (!connected) whisper(say("lost_touch"));
  else if (whispered === say("lost_touch")) whispered = "";
}

const stream = listen("/ghost/events", {
  handlers: { state: showState, whisper: ({ text }) => state?.mine && whisper(text) },
  onConnection: showConnection,
  onRefused: leaveSeat,
});
setInterval(() => {
  drawSand();
  if (state?.mine) drawWhisper();
}, 1000);
document.addEventListener("visibilitychange", () => state?.mine && stayAwake());
find("#seat").addEventListener("pointerdown", stayAwake, { once: true });
