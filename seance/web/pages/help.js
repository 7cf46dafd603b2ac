// The help card: what can be said now, the rules of this phase and the words of the edition, behind every [data-help] button.
import { h, say } from "/static/page.js";

let card = null;
let drawn = "";
const body = h("div", { class: "help-body", tabindex: "0" });
const close = h("button", { type: "button" });
const dialog = h("dialog", { class: "help", "aria-labelledby": "help-title" }, body, close);
document.body.append(dialog);

/** Show this card from now on; null hides the buttons. */
export function setHelp(next) {
  card = next ?? null;
  for (const button of document.querySelectorAll("[data-help]")) button.hidden = !card;
  if (dialog.open) draw();
}

function draw() {
  const now = JSON.stringify(card);
  if (!card || now === drawn) return;
  drawn = now;
  close.textContent = say("help_close");
  body.replaceChildren(
    h("h2", { id: "help-title" }, card.title),
    h("h3", {}, card.rules_title),
    h("ul", {}, card.rules.map((rule) => h("li", {}, rule))),
    h("h3", {}, card.say_title),
    h("ul", { class: "help-say" }, card.sentences.map((sentence) => h("li", {}, sentence))),
    h("h3", {}, card.words_title),
    h("dl", {}, card.words.flatMap(({ word, text }) => [h("dt", {}, word), h("dd", {}, text)])),
  );
}

function open() {
  draw();
  dialog.showModal();
  body.scrollTop = 0;
}

for (const button of document.querySelectorAll("[data-help]")) button.addEventListener("click", open);
close.addEventListener("click", () => dialog.close());
dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
