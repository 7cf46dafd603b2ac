// The host's corner: what the house checks, a few tries, how loud, how much, which language.
import { listen } from "/static/live.js";
import { find, h, keepLanguage, learn, post, say, write } from "/static/page.js";

const SIGNS = { good: "M3 12l6 6L21 5", warn: "M12 2L23 21H1zM12 9v6M12 17.500v1.500", bad: "M4 4L20 20M20 4L4 20" };

function check({ name, state, told, fix }) {
  return h("li", { class: state },
    h("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: SIGNS[state] ?? SIGNS.warn })),
    h("b", {}, name),
    h("span", { class: "state" }, say(`host_state_${state}`)),
    told ? h("span", { class: "told" }, told) : null,
    fix && state !== "good" ? h("span", { class: "fix" }, fix) : null);
}

const WORST_FIRST = ["bad", "warn", "good"];

async function look() {
  write(find("#looking"), say("host_looking"));
  try {
    const answer = await fetch("/host/checks", { cache: "no-store" });
    const checks = (await answer.json()).sort((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state));
    find("#checks").replaceChildren(...checks.map(check));
    write(find("#looking"), "");
  } catch {
    write(find("#looking"), say("lost_touch"));
  }
}

async function ask({ currentTarget: button }) {
  const { do: what, value } = button.dataset;
  const answer = await post("/host/do", value ? { do: what, value } : { do: what });
  write(find("#told"), answer.ok ? say("host_done") : answer.message);
}

let met = false;

function hear(state) {
  learn(state.words);
  keepLanguage(state.language);
  if (!met) look();
  met = true;
  showLevel(state.level);
  press("language", state.language);
  if (state.pace) press("pace", state.pace);
}

function showLevel({ microphone }) {
  find("#level").hidden = microphone === null;
  find("#level-none").hidden = microphone !== null;
  find("#level").value = microphone ?? 0;
}

function press(what, value) {
  for (const button of document.querySelectorAll(`[data-do=${what}]`)) {
    button.setAttribute("aria-pressed", String(button.dataset.value === value));
  }
}

for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", ask);
find("#again").addEventListener("click", look);
listen("/table/events", { hear: { state: hear, level: showLevel }, touch: (there) => !there && write(find("#told"), say("lost_touch")) });
