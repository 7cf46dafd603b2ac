// A row for each psychic and each unowned group. Rows are made once a night and then only updated, so that nothing
// moves under the ghost's thumb.
import { glyph, mark, psychicName } from "/static/marks.js";
import { h, say, write } from "/static/page.js";

const KINDS = ["character", "location", "object"];

/** Draw the rows into list; choose(id) is called when one is touched. */
export function drawPsychics(list, state, chosen, choose) {
  const rows = rowsOf(state);
  const wanted = rows.map((row) => row.id).join();
  if (list.dataset.rows !== wanted) {
    list.dataset.rows = wanted;
    list.replaceChildren(...rows.map((row) => makeRow(row, choose)));
  }
  rows.forEach((row, at) => writeRow(list.children[at].firstChild, row, state, chosen));
}

function rowsOf(state) {
  const night = state.night;
  if (!night) return [];
  const psychics = night.psychics.map((psychic) => ({ id: psychic.colour, psychic }));
  const spare = night.groups.filter((group) => !group.psychic).map((group) => ({ id: group.group, psychic: null }));
  return [...psychics, ...spare];
}

function makeRow(row, choose) {
  const button = h("button", { type: "button", class: "psychic", "data-row": row.id },
    h("span", { class: "who" }, row.psychic && mark(row.id), h("span", { class: "name" })),
    KINDS.map((kind) =>
      h("span", { class: "card", "data-kind": kind },
        glyph(kind), h("span", { class: "unseen" }, say(kind)), h("b"), h("small"))),
    h("span", { class: "state" }, h("span", { class: "guess" }), h("span", { class: "served" }), h("span", { class: "group" })));
  button.addEventListener("click", () => choose(row.id));
  return h("li", {}, button);
}

function writeRow(button, { id, psychic }, state, chosen) {
  const { night } = state;
  const group = night.groups.find((each) => each.psychic === id || each.group === id);
  button.setAttribute("aria-pressed", String(chosen === id));
  button.title = psychic ? psychicName(id, state.names) : say("nobodys_group");
  write(button.querySelector(".name"), psychic ? say(id) : "–");
  KINDS.forEach((kind, at) => writeCard(button.querySelector(`[data-kind=${kind}]`), cardOf(kind, at, psychic, group, state), kind, state));
  const guess = psychic?.intuition;
  write(button.querySelector(".guess"), !psychic ? "" : guess ? say("guess", { card: guess }) : say("guess_none"));
  write(button.querySelector(".served"), psychic ? servedText(psychic) : "");
  write(button.querySelector(".group"), group ? groupText(group.group, state) : soughtText(psychic));
}

function servedText(psychic) {
  if (psychic.searching === "done") return `● ${say("done")}`;
  if (psychic.answered) return `● ${say("answered")}`;
  return psychic.served ? `✓ ${say("served")}` : `○ ${say("not_served")}`;
}

function soughtText(psychic) {
  return psychic && psychic.searching !== "done" ? say(psychic.searching) : "–";
}

function groupText(n, state) {
  return state.culprit === n ? `★ ${say("group", { n })}` : say("group", { n });
}

/** Return a row's card of a kind, and whether it is found or sought. */
function cardOf(kind, at, psychic, group, state) {
  if (!psychic) return { card: group?.cards[at] ?? null, mark: "" };
  const turn = state.order.indexOf(kind);
  const found = turn < psychic.found.length;
  const card = state.secret?.[psychic.colour]?.[kind] ?? (found ? psychic.found[turn] : null);
  return { card, mark: found ? "found" : psychic.searching === kind ? "sought" : "" };
}

function writeCard(cell, { card, mark: how }, kind, state) {
  cell.className = `card ${how}`;
  write(cell.querySelector("b"), card === null ? "??" : String(card));
  const place = card === null ? 0 : state.night.laid_out[kind].indexOf(card) + 1;
  const name = state.cards?.[card];
  const where = name ? `${place} · ${name}` : place ? say("place", { n: place }) : "–";
  write(cell.querySelector("small"), how !== "found" ? where : name ? `✓ ${name}` : "✓");
}
