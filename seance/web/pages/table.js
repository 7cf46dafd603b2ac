// The table's page: shows what everybody may see, and sends what a guest types.
import { clock, showSand } from "/static/clock.js";
import { playKnock, switchSound } from "/static/knocks.js";
import { listen } from "/static/live.js";
import { board } from "/static/manor.js";
import { find, h, hourName, reloadOnNewLanguage, setWords, minutes, post, say, write } from "/static/page.js";

const KNOCK_SHOWN_MS = 4000;

let state = null;
let stateAt = 0; // ms
let lastLine = 0;
let knockTimer = null;
let clockElement = null;
let drawnClock = "";

function showState(next) {
  setWords(next.words, next.edition);
  reloadOnNewLanguage(next.language);
  state = next;
  stateAt = performance.now();
  const { night } = next;
  write(find("#phase"), next.paused ? say("paused") : say(`phase_${night?.phase ?? "none"}`));
  drawClock();
  find("#board").replaceChildren(...board(next));
  document.body.classList.toggle("over", Boolean(night?.outcome));
  appendLines(next.said);
  write(find("#heard"), next.heard ? say("table_heard", { text: next.heard.text }) : "");
  find("#heard").dataset.n = next.heard?.n ?? 0;
  write(find("#next"), next.next ?? "");
  find("#skip-story").hidden = !next.story;
  find("#ready").hidden = !next.laying;
  find("#code").hidden = !next.seat_code;
  write(find("#code-here"), next.seat_code?.digits ?? "");
  const over = next.chronicle ?? Boolean(night?.outcome);
  for (const id of ["#to-chronicle", "#to-replay"]) find(id).hidden = !over;
  document.title = night ? `${hourName(night.hour)} · ${say("table_title")}` : say("table_title");
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
}

/** Append the new lines: a screen reader speaks what is added. */
function appendLines(said = []) {
  const list = find("#said");
  if (said.length && said.at(-1).n < lastLine) {
    list.replaceChildren();
    lastLine = 0;
  }
  const fresh = said.filter((line) => line.n > lastLine);
  list.append(...fresh.map((line) => h("p", {}, line.text)));
  while (list.children.length > 6) list.firstChild.remove();
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
  else if (find("#answer").textContent === say("lost_touch")) write(find("#answer"), "");
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
});

for (const [id, words] of [["#skip-story", "table_skip_story_said"], ["#ready", "table_ready_said"]]) {
  find(id).addEventListener("click", async ({ currentTarget: button }) => {
    button.hidden = true;
    const answer = await post("/table/say", { text: say(words) });
    write(find("#answer"), answer.ok ? "" : answer.message);
  });
}

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

listen("/table/events", { handlers: { state: showState, knock: showKnock }, onConnection: showConnection });
setInterval(drawSand, 1000);
