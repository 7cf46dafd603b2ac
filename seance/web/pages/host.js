// The host's page: checks, tests, volume, pace, language; for a guest's phone the volume, and how to become the host's.
import { listen } from "/static/live.js";
import { find, h, reloadOnNewLanguage, setWords, post, say, write } from "/static/page.js";

const SYMBOLS = { good: "M3 12l6 6L21 5", warn: "M12 2L23 21H1zM12 9v6M12 17.500v1.500", bad: "M4 4L20 20M20 4L4 20" };

function check({ title, state, told, fix }) {
  return h("li", { class: state },
    h("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: SYMBOLS[state] ?? SYMBOLS.warn })),
    h("b", {}, title),
    h("span", { class: "state" }, say(`host_state_${state}`)),
    told ? h("span", { class: "told" }, told) : null,
    fix && state !== "good" ? h("span", { class: "fix" }, fix) : null);
}

const WORST_FIRST = ["bad", "warn", "good"];

async function loadChecks() {
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

async function sendControl({ currentTarget: button }) {
  const { do: what, value } = button.dataset;
  const answer = await post("/host/do", value ? { do: what, value } : { do: what });
  write(find("#told"), answer.ok ? say("host_done") : answer.message);
}

async function enterCode(event) {
  event.preventDefault();
  const answer = await post("/host/enter", { code: find("#code").value.replace(/\D/g, "") });
  if (answer.ok) location.reload();
  else write(find("#entered"), answer.status === 400 ? say("wrong_code") : answer.message);
}

async function tellCode() {
  const answer = await post("/host/code");
  write(find("#entered"), answer.ok ? say("host_code_told") : answer.message);
}

let checksLoaded = find("main").dataset.role !== "host"; // a guest's phone is not told them

function showState(state) {
  setWords(state.words, state.edition);
  reloadOnNewLanguage(state.language);
  if (!checksLoaded) loadChecks();
  checksLoaded = true;
  showLevel(state.level);
  markPressed("language", state.language);
  if (state.pace) markPressed("pace", state.pace);
}

function showLevel({ microphone }) {
  find("#level").hidden = microphone === null;
  find("#level-none").hidden = microphone !== null;
  find("#level").value = microphone ?? 0;
}

function markPressed(what, value) {
  for (const button of document.querySelectorAll(`[data-do=${what}]`)) {
    button.setAttribute("aria-pressed", String(button.dataset.value === value));
  }
}

for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", sendControl);
find("#again").addEventListener("click", loadChecks);
find("#enter").addEventListener("submit", enterCode);
find("#tell-code").addEventListener("click", tellCode);
listen("/table/events", {
  handlers: { state: showState, level: showLevel },
  onConnection: (connected) => !connected && write(find("#told"), say("lost_touch")),
});
