// What a psychic can touch, drawn from the room's view: cards, the others' choices, groups, whom to name.
import { glyph, mark, psychicName } from "/static/marks.js";
import { h, say } from "/static/page.js";

const KINDS = ["character", "location", "object"];

/** Return a button that calls act; a button that is off shows why it is there, and does nothing. */
export function button(text, act, { off = false, ...attributes } = {}) {
  const element = h("button", { type: "button", "aria-disabled": off ? "true" : null, ...attributes }, text);
  if (!off) element.addEventListener("click", act);
  return element;
}

/** Return the row of cards in which a psychic searches; tried cards are crossed out. */
export function cards(me, state, choose, { off = !me.served } = {}) {
  const kind = me.searching;
  const tried = state.tried[me.colour] ?? [];
  const title = say(!off ? "psychic_cards" : me.served ? `${kind}s` : "psychic_cards_wait");
  return h("section", { class: "cards", "aria-label": title },
    h("h2", {}, glyph(kind), title),
    h("ol", {}, state.night.laid_out[kind].map((card) => h("li", {}, cardButton(card, me, state, tried, choose, off)))));
}

function cardButton(card, me, state, tried, choose, off) {
  const gone = !state.night.table[me.searching].includes(card);
  const wrong = tried.includes(card);
  const mine = me.intuition === card;
  const others = state.night.psychics.filter((each) => each.colour !== me.colour && each.intuition === card && each.searching === me.searching);
  const note = gone ? "psychic_gone" : wrong ? "psychic_tried" : mine ? "psychic_chosen" : null;
  const content = [h("b", {}, String(card)), h("small", {}, state.cards?.[card] ?? ""),
    h("span", { class: "on" }, others.map((each) => mark(each.colour, say("chosen_by", { who: psychicName(each.colour, state.names) })))),
    note && h("span", { class: "unseen" }, say(note))];
  return button(content.filter(Boolean), () => choose(card), {
    off: off || gone, class: gone ? "card gone" : wrong ? "card tried" : "card", "aria-pressed": String(mine), "data-card": card,
  });
}

/** Return a row with a tick and a cross for each choice of another player. */
export function bets(me, state, bet) {
  const { night } = state;
  const others = night.psychics.filter((each) => !state.mine.includes(each.colour) && each.intuition && each.searching !== "done" && !each.answered);
  if (me.tokens_left === null || !others.length) return null;
  return h("section", { class: "bets", "aria-label": say("psychic_others") },
    h("h2", {}, say("psychic_others"), h("small", {}, say("tokens_left", { n: me.tokens_left }))),
    h("ul", {}, others.map((each) => {
      const laid = night.bets.find((token) => token.by === me.colour && token.on === each.colour);
      const on = state.names?.[each.colour] ?? say(each.colour);
      const side = (agrees) => button(agrees ? "✓" : "✗", () => bet(each.colour, agrees, laid?.agrees === agrees), {
        "aria-pressed": String(laid?.agrees === agrees), "aria-label": say(agrees ? "psychic_right" : "psychic_wrong", { on }),
        class: agrees ? "right" : "wrong", "data-on": each.colour, off: !laid && me.tokens_left === 0,
      });
      return h("li", {}, mark(each.colour), h("span", {}, on), h("b", {}, String(each.intuition)), side(true), side(false));
    })));
}

/** Return the groups of the line-up as buttons; pressed is the one that was named. */
export function groups(title, state, pressed, name, { off = false } = {}) {
  return h("section", { class: "groups", "aria-label": title },
    h("h2", {}, title),
    h("ol", {}, state.night.groups.map((group) => h("li", {}, button([
      h("b", {}, say("group", { n: group.group })), group.psychic ? mark(group.psychic) : "",
      ...group.cards.map((card, at) => state.lineup_kinds.includes(KINDS[at]) && h("span", {}, glyph(KINDS[at]), String(card))).filter(Boolean),
    ], () => name(group.group), { off, "aria-pressed": String(pressed === group.group), "data-group": group.group })))));
}

/** Return a row of cards of each kind, of which an accusation in full names one. */
export function threeCards(state, chosen, choose) {
  return h("section", { class: "three", "aria-label": say("psychic_accuse_three") },
    h("h2", {}, say("psychic_accuse_three")),
    KINDS.map((kind, at) => h("div", {}, glyph(kind), state.night.groups.map((group) => button(String(group.cards[at]),
      () => choose(kind, group.cards[at]), { "aria-pressed": String(chosen[kind] === group.cards[at]), "aria-label": `${say(kind)} ${group.cards[at]}` })))));
}

/** Return the seats of the night, one button for each player. */
export function seats(state, take) {
  return state.seats.map((seat) => h("li", {}, button([
    ...seat.psychics.map((colour) => h("span", {}, mark(colour), psychicName(colour, state.names))),
    h("small", {}, say(seat.taken ? "psychic_taken" : "psychic_free")),
  ], () => take(seat.psychics[0]), { "data-seat": seat.psychics[0] })));
}

/** Return whether a psychic votes at the cards of the shared vision that are shown. */
export function votesNow(me, state) {
  if (state.ballot !== "secret_by_level" || !state.track) return true;
  const seen = 1 + (me.clairvoyancy >= state.track.intermediate) + (me.clairvoyancy >= state.track.high);
  return seen <= state.night.shared_vision_shown;
}
