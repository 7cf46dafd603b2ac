// Who sits where around the microphones: a picture of the table, on which the host moves guests.
import { mark, psychicName } from "/static/marks.js";
import { find, h, post, say, write } from "/static/page.js";

const RADIUS = 42; // of the chairs, in per cent of the picture
const STEP_DEG = 5; // of an arrow key
const ARROWS = { ArrowLeft: STEP_DEG, ArrowUp: STEP_DEG, ArrowRight: -STEP_DEG, ArrowDown: -STEP_DEG };

const mayMove = document.documentElement.dataset.role === "host";
const drawn = new Map(); // the element of each psychic, by colour: it stays, so that it keeps the focus
let picture = null;
let waiting = null;
let unknown = null; // what stands above those who wait
let hint = null;
let chosen = null;
let names = {};
let directions = {};

/** Show the chairs of state; nothing where the house has no microphone array. */
export function showChairs(state) {
  const { chairs, night } = state;
  find("#chairs").hidden = !chairs;
  if (!chairs) return;
  names = state.names;
  directions = chairs.psychics;
  if (!picture) draw();
  const playing = night && !night.outcome ? night.psychics.map((each) => each.colour) : [];
  const shown = new Set([...Object.keys(directions), ...(mayMove ? playing : [])]);
  for (const [colour, element] of drawn) if (!shown.has(colour)) remove(colour, element);
  for (const colour of shown) put(colour);
  putGhost(chairs.ghost);
  unknown.hidden = !waiting.childElementCount;
  write(hint, hintText());
}

function draw() {
  picture = h("div", { class: "chairs" }, h("span", { class: "front" }, say("chairs_front")), h("span", { class: "array", "aria-hidden": "true" }));
  unknown = h("p", { class: "chairs-unknown" }, say("chairs_unknown"));
  waiting = h("div", { class: "chairs-waiting" });
  hint = h("p", { role: "status" });
  if (mayMove) picture.addEventListener("click", onTable);
  find("#chairs-body").replaceChildren(picture, unknown, waiting, hint);
}

/** Put the chair of a psychic where it is, or beside the table if nobody knows. */
function put(colour) {
  const element = drawn.get(colour) ?? chair(colour);
  const degrees = directions[colour];
  const parent = degrees === undefined ? waiting : picture;
  if (element.parentNode !== parent) parent.append(element);
  if (degrees !== undefined) place(element, degrees);
  const where = degrees === undefined ? say("chair_unknown") : say("chair_at", { n: degrees });
  element.setAttribute("aria-label", `${psychicName(colour, names)}, ${where}`);
}

function chair(colour) {
  const element = h(mayMove ? "button" : "span", { class: "chair", "data-chair": colour, type: mayMove && "button", role: mayMove ? null : "img" },
    mark(colour), h("small", { "aria-hidden": "true" }, names?.[colour] ?? say(colour)));
  if (mayMove) {
    element.setAttribute("aria-pressed", "false");
    element.addEventListener("click", (event) => {
      event.stopPropagation();
      choose(chosen === colour ? null : colour);
    });
    element.addEventListener("keydown", (event) => onKey(event, colour));
  }
  drawn.set(colour, element);
  return element;
}

function remove(colour, element) {
  element.remove();
  drawn.delete(colour);
  if (chosen === colour) chosen = null;
}

/** Put an element at a direction: 0 degrees is at the top, 90 on the left. */
function place(element, degrees) {
  const angle = (degrees * Math.PI) / 180;
  element.style.left = `${50 - RADIUS * Math.sin(angle)}%`;
  element.style.top = `${50 - RADIUS * Math.cos(angle)}%`;
}

function putGhost(degrees) {
  const before = picture.querySelector(".ghost-chair");
  if (degrees === null) return before?.remove();
  const element = before ?? picture.appendChild(h("span", { class: "chair ghost-chair", role: "img", "aria-label": say("ghost_title") }, "☾"));
  return place(element, degrees);
}

function choose(colour) {
  chosen = colour;
  for (const [each, element] of drawn) element.setAttribute("aria-pressed", String(each === colour));
  write(hint, hintText());
}

function hintText() {
  if (chosen) return say("chairs_put", { who: psychicName(chosen, names) });
  if (mayMove) return say("chairs_choose");
  return Object.keys(directions).length ? "" : say("chairs_none");
}

function onTable({ clientX, clientY }) {
  if (!chosen) return;
  const { left, top, width, height } = picture.getBoundingClientRect();
  const degrees = (Math.atan2(left + width / 2 - clientX, top + height / 2 - clientY) * 180) / Math.PI;
  move(chosen, degrees);
  choose(null);
}

function onKey(event, colour) {
  const step = ARROWS[event.key];
  if (!step) return;
  event.preventDefault();
  move(colour, (directions[colour] ?? -step) + step);
}

async function move(colour, degrees) {
  const direction = (Math.round(degrees) + 360) % 360;
  const answer = await post("/table/chair", { psychic: colour, direction_deg: direction });
  if (!answer.ok) write(hint, answer.message);
}
