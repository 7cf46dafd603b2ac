// The table as everybody sees it, drawn from the room's view; the replay uses it too.
import { glyph, mark, psychicName } from "/static/marks.js";
import { h, say, unbroken } from "/static/page.js";
import { suspects } from "/static/suspects.js";
import { track } from "/static/track.js";

const KINDS = ["character", "location", "object"];
const MOST_BETS = 2; // on one choice; more are counted, for a card has no room for them

/** Return the elements of the table: psychics, cards or suspects, the track. */
export function board(state) {
  const { night } = state;
  if (!night) return [empty(state)];
  const searching = KINDS.some((kind) => night.table[kind].length) && !night.groups.length;
  return [psychics(state), searching ? cards(state) : suspects(state), track(state)].filter(Boolean);
}

function empty(state) {
  return h("div", { class: "bare" },
    h("p", { class: "line" }, say("table_empty")),
    state.address && h("p", { class: "address" }, say("table_address", { address: state.address })),
    inDigits(state),
    state.qr && qrCode(state.qr));
}

/** Return the address in digits; null if it is the address itself, or there is none. */
function inDigits({ address, address_in_digits: digits }) {
  return digits && !address?.includes(digits) ? h("p", { class: "address digits" }, say("table_address_digits", { address: digits })) : null;
}

/** Return what leads a phone to the pages: the QR code and the addresses. */
export function wayForPhones(state) {
  return [state.qr && qrCode(state.qr), h("div", {}, h("p", { class: "address" }, state.address), inDigits(state))].filter(Boolean);
}

/** Return the QR code of the pages' address. */
function qrCode([size, path]) {
  return h("figure", { class: "qr" },
    h("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": say("table_scan") }, h("path", { d: path })),
    h("figcaption", {}, say("table_scan")));
}

function crows({ night }) {
  return night.groups.length || night.outcome ? null : h("p", { class: "crows" }, say("crows", { n: night.crows_left }));
}

function psychics(state) {
  const many = state.night.psychics.length > 4 ? "psychics many" : "psychics";
  return h("section", { class: many, "aria-label": say("table_psychics") },
    h("ul", {}, state.night.psychics.map((each) => psychic(each, state))),
    crows(state));
}

function psychic(each, state) {
  const { night } = state;
  const light = state.lights?.[each.colour] ?? lightOf(each);
  return h("li", { class: `psychic ${light}`, "data-psychic": each.colour },
    h("span", { class: "lamp" }, mark(each.colour)),
    h("span", { class: "name" }, state.names?.[each.colour] ?? say(each.colour)),
    h("span", { class: "colour" }, say(each.colour)),
    h("span", { class: "light" }, lightWord(each, light, night)),
    h("span", { class: "trail" }, trail(each, state)),
    h("span", { class: "has" }, visionsText(each, night)));
}

function lightWord(each, light, night) {
  if (night.groups.length) return night.voted.includes(each.colour) && !night.outcome ? say("voted") : "";
  if (light === "done" && each.searching !== "done") return say("answered");
  const chooses = night.phase === "interpretation" && each.searching !== "done" && !each.intuition;
  return chooses ? say("light_choosing") : say(`light_${light}`);
}

function lightOf(each) {
  if (each.searching === "done") return "done";
  return each.intuition ? "chosen" : each.served ? "served" : "waiting";
}

/** Return the three steps of a search: found cards by number, the others by their symbol. */
function trail(each, state) {
  return (state.order ?? KINDS).map((kind, at) => {
    const card = each.found[at];
    const how = card ? "found" : each.searching === kind ? "sought" : "to-come";
    const label = card ? `${say(kind)}: ${say("found")}, ${say("card", { n: card })}` : how === "sought" ? `${say("seeks")}: ${say(kind)}` : null;
    return h("span", { class: `step ${how}` }, glyph(kind), card ? h("b", { "aria-hidden": "true" }, String(card)) : null,
      label && h("span", { class: "unseen" }, label));
  });
}

function visionsText(each, night) {
  if (night.groups.length) return "";
  const n = Array.isArray(each.visions) ? each.visions.length : each.visions;
  const visions = say("visions_given", { n });
  const shown = Array.isArray(each.visions) && n ? unbroken(say("visions_dealt", { visions, cards: each.visions.join(" ") })) : visions;
  return each.tokens_left === null ? shown : `${shown} · ${say("tokens_left", { n: each.tokens_left }).replace(/ /g, "\u00a0")}`;
}

function cards(state) {
  const kinds = state.order ?? KINDS;
  return h("div", { class: "cards" }, kinds.map((kind) => row(kind, state)));
}

function row(kind, state) {
  return h("section", { class: "row", "aria-label": say(`${kind}s`) },
    h("h2", {}, glyph(kind), h("span", {}, say(`${kind}s`))),
    h("ol", {}, state.night.laid_out[kind].map((card, at) => place(card, at + 1, kind, state))));
}

function place(card, at, kind, state) {
  const { night } = state;
  if (!night.table[kind].includes(card)) return emptyPlace(card, at, state);
  const on = night.psychics.filter((each) => each.intuition === card && each.searching === kind);
  const who = on.map((each) => psychicName(each.colour, state.names)).join(", ");
  const tried = Object.entries(state.tried ?? {}).filter(([, cards]) => cards.includes(card)).map(([colour]) => colour);
  return h("li", { class: on.length ? "card taken" : "card", "data-card": card },
    h("span", { class: "unseen" }, `${say("card", { n: card })}, ${say("place", { n: at })}${who ? `, ${say("chosen_by", { who })}` : ""}`),
    tried.length ? h("span", { class: "tried" }, tried.map((colour) =>
      h("span", { class: "wrong" }, mark(colour, say("tried_by", { who: psychicName(colour, state.names) }))))) : null,
    h("b", { "aria-hidden": "true" }, String(card)),
    h("small", { "aria-hidden": "true" }, state.cards?.[card] ?? ""),
    h("i", { "aria-hidden": "true" }, String(at)),
    h("span", { class: "tokens" }, on.map((each) => token(each, state))));
}

function emptyPlace(card, at, state) {
  const finder = state.night.psychics.find((each) => each.found.includes(card));
  return h("li", { class: "card gone" },
    finder && mark(finder.colour, `${say("card", { n: card })}, ${say("found_by", { who: psychicName(finder.colour, state.names) })}`),
    h("b", { "aria-hidden": "true" }, String(card)),
    h("i", { "aria-hidden": "true" }, String(at)));
}

function token(each, state) {
  const bets = state.night.bets.filter((bet) => bet.on === each.colour);
  return h("span", { class: "token" }, mark(each.colour),
    bets.length ? h("span", { class: "bets" }, bets.length > MOST_BETS ? betCounts(bets, state) : bets.map((bet) => betMark(bet, state))) : null);
}

/** Return how many agree and how many doubt. */
function betCounts(bets, state) {
  return [true, false].map((agrees) => {
    const side = bets.filter((bet) => bet.agrees === agrees);
    const label = side.map((bet) => betLabel(bet, state)).join(", ");
    return side.length ? h("span", { class: agrees ? "bet agrees" : "bet doubts", role: "img", "aria-label": label },
      h("span", { "aria-hidden": "true" }, `${side.length}${agrees ? "✓" : "✗"}`)) : null;
  });
}

const betLabel = (bet, state) =>
  say(bet.agrees ? "agrees" : "disagrees", { by: psychicName(bet.by, state.names), on: psychicName(bet.on, state.names) });

/** Return a clairvoyancy token: a tick agrees, a cross doubts. */
function betMark(bet, state) {
  return h("span", { class: bet.agrees ? "bet agrees" : "bet doubts", role: "img", "aria-label": betLabel(bet, state) },
    mark(bet.by), h("span", { "aria-hidden": "true" }, bet.agrees ? "✓" : "✗"));
}
