// The replay of a finished night as the room saw it: a slider over its steps, a button for each hour.
import { clock } from "/static/clock.js";
import { board } from "/static/manor.js";
import { find, h, hourMark, hourName, setWords, say, write } from "/static/page.js";

const STEP_INTERVAL_MS = 1800;

let night = { steps: [] };
let timer = null;

function show(at) {
  const n = Math.max(0, Math.min(night.steps.length - 1, at));
  const step = night.steps[n];
  if (!step) return;
  const slider = find("#slider");
  slider.value = n;
  slider.setAttribute("aria-valuetext", `${hourName(step.hour)}, ${say("replay_step", { n: n + 1, of: night.steps.length })}`);
  write(find("#phase"), step.view ? say(`phase_${step.view.phase}`) : "");
  write(find("#told"), step.told ?? "");
  find("#clock").replaceChildren(clock(step.hour, night.turns));
  find("#board").replaceChildren(...board({ ...night, night: step.view, lights: null }));
  for (const button of find("#hours").children) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.hour) === step.hour));
  }
}

const currentStep = () => Number(find("#slider").value);

function hourButtons() {
  const first = new Map();
  night.steps.forEach((step, at) => first.has(step.hour) || first.set(step.hour, at));
  return [...first].map(([hour, at]) => {
    const button = h("button", { type: "button", "data-hour": hour, "aria-label": hourName(hour) }, hourMark(hour));
    button.addEventListener("click", () => show(at));
    return button;
  });
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => (currentStep() + 1 < night.steps.length ? show(currentStep() + 1) : play(false)), STEP_INTERVAL_MS) : null;
  find("#play").setAttribute("aria-pressed", String(on));
  write(find("#play"), say(on ? "replay_stop" : "replay_play"));
}

find("#slider").addEventListener("input", () => show(currentStep()));
find("#back").addEventListener("click", () => show(currentStep() - 1));
find("#on").addEventListener("click", () => show(currentStep() + 1));
find("#play").addEventListener("click", () => play(timer === null));

const answer = await fetch("/replay/steps", { cache: "no-store" });
const content = await answer.json().catch(() => ({}));
if (answer.ok) {
  night = content;
  setWords(night.words, night.edition);
  find("#slider").max = night.steps.length - 1;
  find("#hours").replaceChildren(...hourButtons());
  find("#to-chronicle").hidden = false;
  show(0);
} else {
  write(find("#told"), content.message ?? "");
}
document.body.dataset.ready = "yes";
