// The table's page: shows what everybody may see, and takes what a guest would say.
import { clock, showSand } from "/static/clock.js";
import { letSound, sound } from "/static/knocks.js";
import { listen } from "/static/live.js";
import { board } from "/static/manor.js";
import { find, h, hourName, keepLanguage, learn, minutes, post, say, write } from "/static/page.js";

const KNOCK_SHOWN = 4000;

let state = null;
let came = 0;
let lastSaid = 0;
let knocking = null;
let picture = null;
let drawn = "";

function hear(next) {
  learn(next.words);
  keepLanguage(next.language);
  state = next;
  came = performance.now();
  const { night } = next;
  write(find("#phase"), next.paused ? say("paused") : say(`phase_${night?.phase ?? "none"}`));
  drawClock();
  find("#board").replaceChildren(...board(next));
  document.body.classList.toggle("over", Boolean(night?.outcome));
  tell(next.said);
  write(find("#heard"), next.heard ? say("table_heard", { text: next.heard.text }) : "");
  find("#heard").dataset.n = next.heard?.n ?? 0;
  const over = next.chronicle ?? Boolean(night?.outcome);
  for (const id of ["#to-chronicle", "#to-replay"]) find(id).hidden = !over;
  document.title = night ? `${hourName(night.hour, next.time)} · ${say("table_title")}` : say("table_title");
}

function drawClock() {
  const now = `${state.night?.hour} ${state.time?.unit} ${state.language}`;
  if (now !== drawn) {
    drawn = now;
    picture = clock(state.night?.hour ?? null, state.time);
    find("#clock").replaceChildren(picture);
  }
  drawSand();
}

function drawSand() {
  const sand = state?.sand;
  const passed = sand?.running && !state.paused ? (performance.now() - came) / 1000 : 0;
  const left = sand ? Math.max(0, sand.left - passed) : null;
  if (picture) showSand(picture, sand ? left / sand.of : null);
  write(find("#sand"), sand ? minutes(left) : "");
}

/** Add the lines that were not told yet: a screen reader speaks what is added. */
function tell(said = []) {
  const list = find("#said");
  if (said.length && said.at(-1).n < lastSaid) {
    list.replaceChildren();
    lastSaid = 0;
  }
  const fresh = said.filter((line) => line.n > lastSaid);
  list.append(...fresh.map((line) => h("p", {}, line.text)));
  while (list.children.length > 6) list.firstChild.remove();
  if (said.length) lastSaid = said.at(-1).n;
}

function knock({ says, count }) {
  sound({ says, count });
  const rings = Array.from({ length: Math.min(count, 7) }, () => h("i", { "aria-hidden": "true" }));
  find("#knock").replaceChildren(...rings, h("span", {}, say(`knock_${says}`, { n: count })));
  find("#knock").dataset.says = says;
  clearTimeout(knocking);
  knocking = setTimeout(() => find("#knock").replaceChildren(), KNOCK_SHOWN);
}

function touch(there) {
  document.body.classList.toggle("lost", !there);
  if (!there && state) write(find("#answer"), say("lost_touch"));
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

find("#sound").addEventListener("click", async ({ currentTarget: button }) => {
  const on = await letSound(button.getAttribute("aria-pressed") !== "true");
  button.setAttribute("aria-pressed", String(on));
  write(button, say(on ? "table_sound_off" : "table_sound_on"));
});

listen("/table/events", { hear: { state: hear, knock }, touch });
setInterval(drawSand, 1000);
