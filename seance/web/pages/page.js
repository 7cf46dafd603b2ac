// Shared by all pages: elements, texts, requests.

let words = {};

/** Use these texts from now on, by key. */
export function setWords(next) {
  words = next ?? words;
}

/** Return the text of key, with its {placeholders} filled. */
export function say(key, values = {}) {
  return (words[key] ?? "").replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
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

/** Set an element's text if it differs: a live region must not speak twice. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
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

const ROMAN = ["", "I", "II", "III", "IV", "V", "VI", "VII"];

/** Return hour n as on the clock: a Roman numeral, or the short name of a day. */
export function hourMark(n, time) {
  return time?.unit === "day" ? say("days").split(" ")[n - 1] ?? "" : ROMAN[n] ?? "";
}

/** Return hour n in words. */
export function hourName(n, time) {
  return time?.unit === "day" ? say("day", { n }) : say("hour", { n: ROMAN[n] });
}

/** Return seconds as m:ss. */
export function minutes(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
