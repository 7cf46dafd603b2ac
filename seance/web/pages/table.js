// The table's page: shows what everybody may see, and sends what a guest types.
import { showChairs } from "/static/chairs.js";
import { clock, showSand } from "/static/clock.js";
import { setHelp } from "/static/help.js";
import { playKnock, switchSound } from "/static/knocks.js";
import { listen } from "/static/live.js";
import { board, wayForPhones } from "/static/manor.js";
import { psychicName } from "/static/marks.js";
import { find, h, hourName, reloadOnNewLanguage, setWords, minutes, phaseName, post, say, unbroken, write } from "/static/page.js";
import { makeTouchable, setupPanel, showAnswers } from "/static/touch.js";

const KNOCK_SHOWN_MS = 4000;
const LAST_SAND_S = 60;
const LOG_LINES = 200;
const TYPING_REPORT_MS = 20_000;

let state = null;
let stateAt = 0; // ms
let lastLine = 0;
let knockTimer = null;
let clockElement = null;
let drawnClock = "";
let drawnWay = "";
let typing = { begun: false, at: 0 }; // what the house was told last

function showState(next) {
  setWords(next.words, next.edition);
  reloadOnNewLanguage(next.language);
  state = next;
  stateAt = performance.now();
  const { night } = next;
  write(find("#phase"), !next.paused && next.touch?.setup?.length ? say("setup_title") : phaseName(next));
  drawClock();
  const setup = setupPanel(next);
  find("#board").replaceChildren(...(setup ? [setup] : board(next)));
  showWayForPhones(next);
  showChairs(next);
  makeTouchable(next);
  showAnswers(next);
  document.body.classList.toggle("paused", Boolean(next.paused));
  document.body.classList.toggle("over", Boolean(night?.outcome));
  appendLines(next.said);
  write(find("#heard"), heardText(next));
  find("#heard").dataset.n = next.heard?.n ?? 0;
  write(find("#next"), next.next ?? "");
  setHelp(next.help);
  find("#skip-story").hidden = !next.story;
  find("#code").hidden = !next.seat_code;
  write(find("#code-here"), next.seat_code?.digits ?? "");
  const over = next.chronicle ?? Boolean(night?.outcome);
  for (const id of ["#to-chronicle", "#to-replay"]) find(id).hidden = !over;
  document.title = night ? `${hourName(night.hour)} · ${say("table_title")}` : say("table_title");
}

/** Return what was heard last, or to whom the house listens now. */
function heardText({ heard, talk, names }) {
  if (talk) return talk.psychic ? say("table_listening", { who: psychicName(talk.psychic, names) }) : say("table_listening_anybody");
  return heard ? say("table_heard", { text: heard.text }) : "";
}

/** Show the way to the pages beneath what is said once the board has no room for it. */
function showWayForPhones(next) {
  find("#scan").hidden = !next.address || !(next.night || next.touch?.setup?.length);
  const now = JSON.stringify([next.qr, next.address, next.address_in_digits, next.edition]);
  if (now === drawnWay) return;
  drawnWay = now;
  find("#scan-body").replaceChildren(...wayForPhones(next));
}

function drawClock() {
  const now = `${state.night?.hour} ${state.edition} ${state.language}`;
  if (now !== drawnClock) {
    drawnClock = now;
    clockElement = clock(state.night?.hour ?? null, state.turns);
    find("#clock").replaceChildren(clockElement);
  }
  drawSand();
}

function drawSand() {
  const sand = state?.sand;
  const passed = sand?.running && !state.paused ? (performance.now() - stateAt) / 1000 : 0;
  const left = sand ? Math.max(0, sand.left - passed) : null;
  if (clockElement) showSand(clockElement, sand ? left / sand.of : null);
  write(find("#sand"), sand ? minutes(left) : "");
  document.body.classList.toggle("last-sand", sand !== null && sand !== undefined && sand.running && left <= LAST_SAND_S);
}

/** Append the new lines: a screen reader speaks what is added. */
function appendLines(said = []) {
  const list = find("#said");
  if (said.length && said.at(-1).n < lastLine) {
    list.replaceChildren();
    lastLine = 0;
  }
  const fresh = said.filter((line) => line.n > lastLine);
  list.append(...fresh.map((line) => h("p", {}, unbroken(line.text))));
  while (list.children.length > 6) list.firstChild.remove();
  if (fresh.length) list.lastChild.scrollIntoView({ block: "nearest" });
  const log = find("#log-lines");
  log.append(...fresh.map((line) => h("p", {}, unbroken(line.text))));
  while (log.children.length > LOG_LINES) log.firstChild.remove();
  log.scrollTop = log.scrollHeight;
  if (said.length) lastLine = said.at(-1).n;
}

function showKnock({ says, count }) {
  playKnock({ says, count });
  const rings = Array.from({ length: count }, () => h("i", { "aria-hidden": "true" }));
  find("#knock").replaceChildren(...rings, h("span", {}, say(`knock_${says}`, { n: count })));
  find("#knock").dataset.says = says;
  clearTimeout(knockTimer);
  knockTimer = setTimeout(() => find("#knock").replaceChildren(), KNOCK_SHOWN_MS);
}

function showConnection(connected) {
  document.body.classList.toggle("lost", !connected);
  if (!connected && state) write(find("#answer"), say("lost_touch"));
  else if (find("#answer").textContent === unbroken(say("lost_touch"))) write(find("#answer"), "");
}

find("#say").addEventListener("submit", async (event) => {
  event.preventDefault();
  const words = find("#words");
  const text = words.value.trim();
  if (!text) return;
  words.value = "";
  words.focus();
  const answer = await post("/table/say", { text });
  write(find("#answer"), answer.ok ? "" : answer.message);
  if (!answer.ok && !words.value) words.value = text;
  reportTyping();
});

// Whoever types is not answered for: the house is told of a line that was begun, and again while it grows.
function reportTyping() {
  const begun = Boolean(find("#words").value);
  const now = performance.now();
  if (begun === typing.begun && (!begun || now - typing.at < TYPING_REPORT_MS)) return;
  typing = { begun, at: now };
  post("/table/typing", { begun });
}

find("#words").addEventListener("input", reportTyping);

find("#skip-story").addEventListener("click", async ({ currentTarget: button }) => {
  button.hidden = true;
  const answer = await post("/table/say", { text: say("table_skip_story_said") });
  write(find("#answer"), answer.ok ? "" : answer.message);
});

find("#code").addEventListener("submit", async (event) => {
  event.preventDefault();
  const digits = find("#digits");
  const answer = await post("/table/say", { text: digits.value });
  digits.value = "";
  write(find("#answer"), answer.ok ? "" : answer.message);
});

find("#sound").addEventListener("click", async ({ currentTarget: button }) => {
  const on = await switchSound(button.getAttribute("aria-pressed") !== "true");
  button.setAttribute("aria-pressed", String(on));
  button.dataset.say = on ? "table_sound_off" : "table_sound_on";
  write(button, say(button.dataset.say));
});

const isTelevision = new URLSearchParams(location.search).has("tv");
document.documentElement.classList.toggle("tv", isTelevision);
find("#scan").open = isTelevision;
listen("/table/events", { handlers: { state: showState, knock: showKnock }, onConnection: showConnection });
setInterval(drawSand, 1000);
