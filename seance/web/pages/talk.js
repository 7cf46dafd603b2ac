// The button to talk: while it is held, or for one command after a tap, the house listens, and knows who speaks.
import { find, post, say, write } from "/static/page.js";

let speaker = () => null;
let refused = () => {};
let held = null; // the psychic for whom the button is held
let sending = Promise.resolve(); // what was pressed first arrives first

const button = find("#talk");

/** Let the button speak for the psychic that who() names; onRefused is given the reason if the house refuses. */
export function setTalk(who, onRefused) {
  [speaker, refused] = [who, onRefused];
}

/** Show whether the house hears at all, and whether it listens to this psychic now. */
export function showTalk({ can_talk: canTalk, talk }) {
  const listens = Boolean(talk) && talk.psychic === speaker();
  button.hidden = !canTalk;
  button.setAttribute("aria-pressed", String(listens));
  write(button, say(listens ? "psychic_heard" : "psychic_talk"));
}

function send(isHeld, psychic) {
  sending = sending.then(async () => {
    const answer = await post("/seat/talk", { held: isHeld, psychic });
    if (!answer.ok) refused(answer.message);
  });
}

function press() {
  if (held) return;
  held = speaker();
  send(true, held);
}

function release() {
  if (!held) return;
  send(false, held);
  held = null;
}

button.addEventListener("pointerdown", (event) => {
  button.setPointerCapture(event.pointerId);
  press();
});
for (const name of ["pointerup", "pointercancel", "lostpointercapture", "keyup", "blur"]) button.addEventListener(name, release);
button.addEventListener("keydown", (event) => {
  if (event.key !== " " && event.key !== "Enter") return;
  event.preventDefault(); // no click follows
  press();
});
button.addEventListener("click", (event) => {
  if (event.detail) return; // after pointerup
  press(); // a screen reader
  release();
});
button.addEventListener("contextmenu", (event) => event.preventDefault());
document.addEventListener("visibilitychange", () => document.hidden && release());
