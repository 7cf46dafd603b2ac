// The table as everybody sees it, drawn from the room's view alone; the replay uses it, too.
import { called, glyph, mark } from "/static/marks.js";
import { h, say } from "/static/page.js";
import { suspects } from "/static/suspects.js";
import { track } from "/static/track.js";

const KINDS = ["character", "location", "object"];

/** Return what lies on the table: psychics, cards or suspects, the track. */
export function board(told) {
  const { night } = told;
  if (!night) return [empty(told)];
  const searching = KINDS.some((kind) => night.table[kind].length) && !night.groups.length;
  return [psychics(told), searching ? cards(told) : suspects(told), track(told)].filter(Boolean);
}

function empty(told) {
  return h("div", { class: "bare" },
    h("p", { class: "line" }, say("table_empty")),
    told.address && h("p", { class: "address" }, say("table_address", { address: told.address })));
}

function psychics(told) {
  const many = told.night.psychics.length > 4 ? "psychics many" : "psychics";
  return h("section", { class: many, "aria-label": say("table_psychics") },
    h("ul", {}, told.night.psychics.map((each) => psychic(each, told))));
}

function psychic(each, told) {
  const { night } = told;
  const light = told.lights?.[each.colour] ?? lightOf(each);
  return h("li", { class: `psychic ${light}`, "data-psychic": each.colour },
    h("span", { class: "lamp" }, mark(each.colour)),
    h("span", { class: "name" }, told.names?.[each.colour] ?? say(each.colour)),
    h("span", { class: "colour" }, say(each.colour)),
    h("span", { class: "light" }, lightWord(each, light, night)),
    h("span", { class: "trail" }, trail(each, told)),
    h("span", { class: "has" }, has(each, night)));
}

function lightWord(each, light, night) {
  if (night.groups.length) return night.voted.includes(each.colour) && !night.outcome ? say("voted") : "";
  return light === "done" && each.searching !== "done" ? say("answered") : say(`light_${light}`);
}

function lightOf(each) {
  if (each.searching === "done") return "done";
  return each.intuition ? "chosen" : each.served ? "served" : "waiting";
}

/** Return the three steps of a search: found cards by number, the others by their sign. */
function trail(each, told) {
  return (told.order ?? KINDS).map((kind, at) => {
    const card = each.found[at];
    const how = card ? "found" : each.searching === kind ? "sought" : "to-come";
    const label = card ? `${say(kind)}: ${say("found")}, ${say("card", { n: card })}` : how === "sought" ? `${say("seeks")}: ${say(kind)}` : null;
    return h("span", { class: `step ${how}` }, glyph(kind), card ? h("b", { "aria-hidden": "true" }, String(card)) : null,
      label && h("span", { class: "unseen" }, label));
  });
}

function has(each, night) {
  if (night.groups.length) return "";
  const n = Array.isArray(each.visions) ? each.visions.length : each.visions;
  const visions = n === 1 ? say("visions_one") : say("visions_many", { n });
  const shown = Array.isArray(each.visions) && n ? `${visions}: ${each.visions.join(" ")}` : visions;
  return each.tokens_left === null ? shown : `${shown} · ${say("tokens_left", { n: each.tokens_left })}`;
}

function cards(told) {
  const kinds = told.order ?? KINDS;
  return h("div", { class: "cards" }, kinds.map((kind) => row(kind, told)));
}

function row(kind, told) {
  return h("section", { class: "row", "aria-label": say(`${kind}s`) },
    h("h2", {}, glyph(kind), h("span", {}, say(`${kind}s`))),
    h("ol", {}, told.night.laid_out[kind].map((card, at) => place(card, at + 1, kind, told))));
}

function place(card, at, kind, told) {
  const { night } = told;
  if (!night.table[kind].includes(card)) return gap(card, at, told);
  const on = night.psychics.filter((each) => each.intuition === card && each.searching === kind);
  const who = on.map((each) => called(each.colour, told.names)).join(", ");
  return h("li", { class: on.length ? "card taken" : "card" },
    h("span", { class: "unseen" }, `${say("card", { n: card })}, ${say("place", { n: at })}${who ? `, ${say("chosen_by", { who })}` : ""}`),
    h("b", { "aria-hidden": "true" }, String(card)),
    h("small", { "aria-hidden": "true" }, told.cards?.[card] ?? ""),
    h("i", { "aria-hidden": "true" }, String(at)),
    h("span", { class: "tokens" }, on.map((each) => token(each, told))));
}

function gap(card, at, told) {
  const finder = told.night.psychics.find((each) => each.found.includes(card));
  return h("li", { class: "card gone" },
    finder && mark(finder.colour, `${say("card", { n: card })}, ${say("found_by", { who: called(finder.colour, told.names) })}`),
    h("b", { "aria-hidden": "true" }, String(card)),
    h("i", { "aria-hidden": "true" }, String(at)));
}

function token(each, told) {
  const bets = told.night.bets.filter((bet) => bet.on === each.colour);
  return h("span", { class: "token" }, mark(each.colour),
    bets.length ? h("span", { class: "bets" }, bets.map((bet) => betMark(bet, told))) : null);
}

/** Return a clairvoyancy token: a tick agrees, a cross doubts. */
function betMark(bet, told) {
  const label = say(bet.agrees ? "agrees" : "disagrees", { by: called(bet.by, told.names), on: called(bet.on, told.names) });
  return h("span", { class: bet.agrees ? "bet agrees" : "bet doubts", role: "img", "aria-label": label },
    mark(bet.by), h("span", { "aria-hidden": "true" }, bet.agrees ? "✓" : "✗"));
}
