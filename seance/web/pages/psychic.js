// A psychic's page: every touch counts as said by the psychic whose seat this phone holds.
import { stayAwake } from "/static/awake.js";
import { setHelp } from "/static/help.js";
import { listen } from "/static/live.js";
import { mark } from "/static/marks.js";
import { find, h, minutes, phaseName, post, reloadOnNewLanguage, say, setWords, write } from "/static/page.js";
import { bets, button, cards, groups, seats, threeCards, votesNow } from "/static/psychic_parts.js";
import { setTalk, showTalk } from "/static/talk.js";

let state = null;
let stateAt = 0; // ms
let active = null; // the psychic that is played now, where this seat has two
let asked = null; // the group that a secret vote is about to name
let three = {}; // the cards of an accusation in full, by kind
let moment = ""; // phase and hour of the last state

function showState(next) {
  setWords(next.words, next.edition);
  reloadOnNewLanguage(next.language);
  setHelp(next.help);
  const had = state?.mine.length;
  [state, stateAt] = [next, performance.now()];
  const now = `${next.night?.phase} ${next.night?.hour}`;
  if (now !== moment) {
    [asked, three] = [null, {}];
    scrollTo(0, 0); // to what is next
  }
  if (next.night?.phase !== "vote") sessionStorage.clear();
  moment = now;
  const seated = next.mine.length > 0;
  find("#choose").hidden = seated;
  find("#seat").hidden = !seated;
  find("#leave").hidden = !seated;
  find("#to-chronicle").hidden = !next.chronicle;
  if (seated) drawSeat();
  else drawChoice(had);
}

// Taking a seat

function drawChoice(had) {
  const { outcome } = state.night ?? {};
  write(find("#choose h1"), say(outcome ? "phase_over" : "psychic_who"));
  const line = outcome ? `outcome_${outcome.reason}` : state.mark ? "psychic_asked" : had ? "sit_gone" : state.seats.length ? "psychic_line" : "psychic_none";
  write(find("#choose-line"), say(line));
  write(find("#choose-mark"), state.mark ?? "");
  find("#choose-mark").hidden = !state.mark;
  find("#seats").replaceChildren(...(state.mark ? [] : seats(state, take)));
}

async function take(psychic) {
  stayAwake();
  const answer = await post("/seat/take", { psychic });
  if (answer.ok) stream.reconnect(); // with the cookie of the seat
  else write(find("#choose-line"), answer.message);
}

find("#leave").addEventListener("click", () => post("/seat/leave"));

// The seat

const me = () => state.night?.psychics.find((each) => each.colour === active);

function drawSeat() {
  const { night } = state;
  if (!state.mine.includes(active)) active = state.mine[0];
  find("#who").replaceChildren(...state.mine.map((colour) => button(
    state.mine.length > 1 ? [mark(colour), h("span", {}, say(colour))]
      : [mark(colour), h("span", {}, state.names?.[colour] ?? say(colour)), h("small", {}, say(colour))],
    () => { active = colour; asked = null; drawSeat(); },
    { "aria-pressed": String(colour === active), "data-psychic": colour })));
  const mine = me();
  write(find("#seeks"), !mine || night.groups.length ? "" : mine.searching === "done" ? say("psychic_done") : say("psychic_seeks", { kind: say(mine.searching) }));
  write(find("#has"), mine && !night.groups.length ? has(mine) : "");
  write(find("#phase"), phaseName(state));
  write(find("#next"), state.next ?? "");
  write(find("#pause"), say(state.paused ? "do_resume" : "do_pause"));
  find("#acts").replaceChildren(...acts(mine).filter(Boolean));
  showTalk(state);
  drawSand();
}

function has(mine) {
  if (mine.searching === "done") return "";
  const n = Array.isArray(mine.visions) ? mine.visions.length : mine.visions;
  const visions = n ? say("visions_given", { n }) : say("light_waiting");
  return Array.isArray(mine.visions) && n ? say("visions_dealt", { visions, cards: mine.visions.join(" ") }) : visions;
}

/** Return what can be touched now. */
function acts(mine) {
  const { night } = state;
  if (!mine || night.outcome) return [night?.outcome && h("p", { class: "line" }, say(`outcome_${night.outcome.reason}`))];
  const parts = [yesOrNo()];
  if (state.laying) parts.push(button(say("table_ready"), () => touch("ready"), { class: "wide", id: "ready" }));
  if (night.phase === "visions" || night.phase === "interpretation") parts.push(...search(mine));
  if (night.phase === "manifestation") parts.push(...answer(mine));
  if (night.phase === "vote") parts.push(...vote(mine));
  if (night.phase === "accusation") parts.push(...accusation(mine));
  if (night.phase === "eldest") parts.push(eldest());
  return parts.some(Boolean) ? parts : [h("p", { class: "line" }, say("psychic_wait"))];
}

function yesOrNo() {
  return state.asks && h("div", { class: "pair" },
    button(say("do_yes"), () => touch("yes"), { id: "yes" }), button(say("do_no"), () => touch("no"), { id: "no" }));
}

function search(mine) {
  const choosing = state.night.phase === "interpretation";
  const allChosen = choosing && state.night.psychics.every((each) => each.intuition || each.searching === "done");
  return [
    mine.searching === "done" ? null : cards(mine, state, (card) => touch("place_intuition", { psychic: active, card })),
    bets(mine, state, (on, agrees, again) => (again ? touch("withdraw_bet", { by: active, on }) : touch("bet", { by: active, on, agrees }))),
    allChosen && button(say("psychic_all_chosen"), () => touch("call_time"), { class: "wide", id: "all-chosen" }),
  ];
}

/** Return the answer to this psychic's choice, or the cards while it is awaited. */
function answer(mine) {
  if (mine.searching === "done" && !mine.answered) return [];
  if (mine.answered) return [h("p", { class: "verdict" }, say(mine.found.includes(mine.intuition) ? "psychic_yes" : "psychic_no", { n: mine.intuition ?? "–" }))];
  return [h("p", { class: "line" }, say("psychic_listen")), cards(mine, state, () => {}, { off: true })];
}

function vote(mine) {
  const { night } = state;
  if (state.ballot === "open") {
    return [groups(say("psychic_vote_open"), state, voteOf(night.votes), (group) => touch("vote", { by: active, group }))];
  }
  const haveVoted = button(say("psychic_have_voted"), () => touch("turn_shared_vision"), { class: "wide", id: "have-voted" });
  if (night.voted.includes(active)) return [sealedLine(), !night.readers && haveVoted];
  if (!votesNow(mine, state)) return [h("p", { class: "line" }, say("psychic_vote_later")), haveVoted];
  return [
    groups(say("psychic_vote_secret"), state, asked, (group) => { asked = asked === group ? null : group; drawSeat(); }),
    asked && h("p", { class: "line" }, say("psychic_vote_ask", { n: asked })),
    asked && h("div", { class: "pair" }, button(say("do_it"), seal, { id: "seal" }), button(say("do_not"), () => { asked = null; drawSeat(); })),
    !asked && !night.readers && haveVoted,
  ];
}

/** Return the group that this seat has named openly; a player of two psychics has one vote. */
function voteOf(votes) {
  return votes?.[active] ?? state.mine.map((colour) => votes?.[colour]).find(Boolean);
}

// The vote is remembered on this phone alone: the house does not send it back.
const voteKey = () => `vote ${active}`;

function sealedLine() {
  const group = sessionStorage.getItem(voteKey());
  return h("p", { class: "line sealed" }, group ? say("psychic_sealed_for", { n: group }) : say("psychic_sealed"));
}

async function seal() {
  const group = asked;
  asked = null;
  const key = voteKey();
  sessionStorage.setItem(key, String(group)); // before the house can answer that it is sealed
  if (!(await touch("vote", { by: active, group }))) sessionStorage.removeItem(key);
}

function accusation(mine) {
  const { night } = state;
  const accuse = button(say("psychic_accuse"), () => touch("accuse", state.names_all_three ? three : {}), { class: "wide", id: "accuse" });
  return [
    groups(say("psychic_vote_ball"), state, night.pointing?.[mine.colour], (group) => touch("point_at", { by: active, group })),
    state.names_all_three ? threeCards(state, three, (kind, card) => { three = { ...three, [kind]: card }; drawSeat(); }) : null,
    accuse,
  ];
}

function eldest() {
  return h("section", { class: "groups", "aria-label": say("psychic_eldest") },
    h("h2", {}, say("psychic_eldest")),
    h("ol", {}, (state.night.eldest_of ?? []).map((colour) => h("li", {}, button(
      [mark(colour), h("span", {}, state.names?.[colour] ?? say(colour))], () => touch("name_eldest", { psychic: colour }), { "data-eldest": colour })))));
}

async function touch(intent, slots = {}) {
  stayAwake();
  const answer = await post("/seat/touch", { intent, slots });
  write(find("#answer"), answer.ok ? "" : answer.message);
  drawSeat();
  return answer.ok;
}

setTalk(() => active, (message) => write(find("#answer"), message));
find("#undo").addEventListener("click", () => touch("take_back"));
find("#pause").addEventListener("click", () => touch(state.paused ? "resume" : "pause"));

function drawSand() {
  const sand = state?.sand;
  const passed = sand?.running && !state.paused ? (performance.now() - stateAt) / 1000 : 0;
  write(find("#sand"), sand ? minutes(Math.max(0, sand.left - passed)) : "");
}

function showConnection(connected) {
  document.body.classList.toggle("lost", !connected);
  if (!connected && state) write(find("#answer"), say("lost_touch"));
  else if (find("#answer").textContent === say("lost_touch")) write(find("#answer"), "");
}

const stream = listen("/seat/events", { handlers: { state: showState }, onConnection: showConnection });
setInterval(drawSand, 1000);
