// Shared by all pages: elements, texts, requests.

let words = {};

/** Use these texts from now on, by key; texts that were printed in the words of another edition are written anew. */
export function setWords(next, edition) {
  words = next ?? words;
  const { dataset } = document.documentElement;
  if (!next || dataset.edition === edition) return;
  dataset.edition = edition;
  for (const element of document.querySelectorAll("[data-say]")) write(element, say(element.dataset.say));
  for (const name of ["aria-label", "placeholder"]) {
    for (const element of document.querySelectorAll(`[data-say-${name}]`)) {
      element.setAttribute(name, say(element.getAttribute(`data-say-${name}`)));
    }
  }
}

/** Return the text of key, with its {placeholders} filled; n chooses among the plural forms, which stand between bars. */
export function say(key, values = {}) {
  const forms = (words[key] ?? "").split("|");
  const plurals = words.plurals ?? "";
  const text = forms[plurals[Math.min(values.n, plurals.length - 1)]] ?? forms.at(-1);
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Reload the page if it was served in another language than the server's present one. */
export function reloadOnNewLanguage(language) {
  if (language && language !== document.documentElement.lang) location.reload();
}

const SVG = "http://www.w3.org/2000/svg";
const SVG_ELEMENTS = new Set(["svg", "g", "path", "circle", "rect", "line", "text", "title", "use"]);

/** Return an element; attributes and children that are null or false are left out. */
export function h(name, attributes = {}, ...children) {
  const element = SVG_ELEMENTS.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const find = (selector) => document.querySelector(selector);

/** Return text with its signs kept on the line of the word before them, as in "qui ?". */
export function unbroken(text) {
  return text.replace(/ (?=[:;?!»])/g, "\u00a0").replace(/« /g, "«\u00a0");
}

/** Set an element's text if it differs: a live region must not speak twice. */
export function write(element, text) {
  const whole = unbroken(text);
  if (element.textContent !== whole) element.textContent = whole;
}

/** Post JSON; return {ok, status, message}, and never throw. */
export async function post(path, body = {}) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      cache: "no-store",
    });
    const content = await answer.json().catch(() => ({}));
    return { ok: answer.ok, status: answer.status, message: content.message ?? "" };
  } catch {
    return { ok: false, status: 0, message: say("lost_touch") };
  }
}

/** Return hour n as on the clock: a numeral, or the short name of a day. */
export function hourMark(n) {
  return say("turn_marks").split(" ")[n - 1] ?? "";
}

/** Return hour n in words. */
export function hourName(n) {
  return say("hour", { n, mark: hourMark(n) });
}

/** Return what a state's phase is called at the table. */
export function phaseName({ paused, laying, night }) {
  if (paused) return say("paused");
  return say(`phase_${laying && !night?.outcome ? "laying" : night?.phase ?? "none"}`);
}

/** Return a small number in words. */
export function numberWord(n) {
  return say("numbers").split(" ")[n] ?? String(n);
}

/** Return seconds as m:ss. */
export function minutes(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
