// What every page needs: elements, words, the way up to the house.

let table = {};

/** Take the words of the house's language. */
export function learn(words) {
  table = words ?? table;
}

/** Return the word called key, with its blanks filled. */
export function say(key, blanks = {}) {
  return (table[key] ?? "").replace(/\{(\w+)\}/g, (_, name) => blanks[name] ?? "");
}

/** Reload a page that was printed in another language than the house speaks now. */
export function keepLanguage(language) {
  if (language && language !== document.documentElement.lang) location.reload();
}

const SVG = "http://www.w3.org/2000/svg";
const DRAWN = new Set(["svg", "g", "path", "circle", "rect", "line", "text", "title", "use"]);

/** Return an element with attributes and children; what is null or false is left out. */
export function h(name, attributes = {}, ...children) {
  const element = DRAWN.has(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const find = (selector) => document.querySelector(selector);

/** Write text into an element, unless it stands there already: a live region must not speak twice. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Send a request up; return {ok, message}, never throw. */
export async function post(path, body = {}) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      cache: "no-store",
    });
    const told = await answer.json().catch(() => ({}));
    return { ok: answer.ok, status: answer.status, message: told.message ?? "" };
  } catch {
    return { ok: false, status: 0, message: say("lost_touch") };
  }
}

const ROMAN = ["", "I", "II", "III", "IV", "V", "VI", "VII"];

/** Return hour n as the clock has it: roman, or the short name of a day. */
export function hourMark(n, time) {
  return time?.unit === "day" ? say("days").split(" ")[n - 1] ?? "" : ROMAN[n] ?? "";
}

/** Return hour n in words. */
export function hourName(n, time) {
  return time?.unit === "day" ? say("day", { n }) : say("hour", { n: ROMAN[n] });
}

/** Return seconds as minutes and seconds. */
export function minutes(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
