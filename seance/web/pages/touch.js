// What can be touched on the table's page. A touch is sent as the intent of the sentence that says the same.
import { glyph, mark, psychicName } from "/static/marks.js";
import { find, h, post, say, write } from "/static/page.js";

const KINDS = ["character", "location", "object"];
let open = null; // the card, psychic or group whose sheet is open
let drawn = "";
let three = {}; // the cards of a full accusation, by kind

/** Send an intent; what is refused is told below. */
export async function touch(intent, slots = {}) {
  closeSheet();
  const answer = await post("/table/touch", { intent, slots });
  write(find("#answer"), answer.ok ? "" : answer.message);
}

/** Show the answers to the open question, and what else may be asked of the house. */
export function showAnswers(state) {
  const { answers = [], actions = [] } = state.touch ?? {};
  const now = JSON.stringify([answers, actions, state.edition]);
  if (now === drawn) return;
  drawn = now;
  find("#answers").replaceChildren(...answers.map((each) => intentButton(each, state)));
  find("#answers").classList.toggle("many", answers.length > 8);
  find("#actions").replaceChildren(...actions.map((each) => intentButton(each, state)));
}

function intentButton({ intent, slots }, state) {
  const value = slots.psychic ?? slots.number ?? slots.row?.[0];
  const label = value === undefined ? [say(`touch_${intent}`)] : labelOf(value, state);
  return button({ "data-intent": intent, "data-value": value }, label, () => touch(intent, slots));
}

function labelOf(value, state) {
  return typeof value === "number" ? [String(value)] : [mark(value), " ", state.names?.[value] ?? say(value)];
}

function button(attributes, children, act) {
  const element = h("button", { type: "button", ...attributes }, ...children);
  element.addEventListener("click", act);
  return element;
}

/** Return the set-up so far, each matter with its choices; null if none is under way. */
export function setupPanel(state) {
  const rows = state.touch?.setup ?? [];
  if (!rows.length) return null;
  return h("section", { class: "setup", "aria-label": say("setup_title") },
    rows.map((row) => h("div", { class: row.is_asked ? "matter asked" : "matter", role: "group", "aria-label": say(`setup_${row.slot}`) },
      h("h2", {}, say(`setup_${row.slot}`)),
      h("div", { class: "choices" }, row.choices.map((choice) => setupButton(row, choice, state))))));
}

function setupButton({ slot, chosen, choices }, choice, state) {
  const several = slot === "psychics";
  const pressed = several ? chosen.includes(choice) : chosen === choice;
  const label = several ? labelOf(choice, state) : typeof choice === "number" ? [String(choice)] : [say(`choice_${slot}_${choice}`)];
  return button({ "aria-pressed": String(pressed), "data-slot": slot, "data-value": String(choice) }, label, () => {
    const value = several ? choices.filter((each) => chosen.includes(each) !== (each === choice)) : choice;
    if (!several || value.length) touch("setup", { [slot]: value });
  });
}

/** Lay a button over each card, choice and group that can be touched now. */
export function makeTouchable(state) {
  const { night } = state;
  if (night?.phase !== "accusation") three = {};
  if (!night || night.outcome || state.paused) return closeSheet();
  for (const element of document.querySelectorAll("#board [data-card]")) {
    const card = Number(element.dataset.card);
    if (choosers(card, state).length) cover(element, say("touch_card", { n: card }), () => cardSheet(card, state));
  }
  for (const each of night.psychics) {
    const element = document.querySelector(`#board [data-psychic=${each.colour}]`);
    if (element && bettors(each, state).length) cover(element, say("touch_choice_of", { on: nameOf(each.colour, state) }), () => betSheet(each, state));
  }
  if (groupsAreOpen(night)) {
    for (const element of document.querySelectorAll("#board [data-group]")) {
      const group = Number(element.dataset.group);
      cover(element, say("touch_group", { n: group }), () => groupSheet(group, state));
    }
  }
  if (open) open(state);
  return null;
}

function cover(element, label, act) {
  element.classList.add("touchable");
  element.append(button({ class: "cover", "aria-label": label }, [], act));
}

const nameOf = (colour, state) => state.names?.[colour] ?? say(colour);

/** Return the psychics who may choose a card now. */
function choosers(card, { night }) {
  if (!["visions", "interpretation"].includes(night.phase)) return [];
  const kind = KINDS.find((each) => night.table[each].includes(card));
  return night.psychics.filter((each) => each.searching === kind && each.served);
}

/** Return the psychics who may lay a token on another's choice now, or take theirs back. */
function bettors(on, { night }) {
  if (on.intuition === null || !["visions", "interpretation"].includes(night.phase)) return [];
  return night.psychics.filter((each) => each.colour !== on.colour && each.tokens_left !== null
    && (each.tokens_left > 0 || betOf(each, on, night)));
}

const betOf = (by, on, night) => night.bets.find((bet) => bet.by === by.colour && bet.on === on.colour);

/** Tell whether groups can be touched: votes in secret are not given on a page that all see. */
function groupsAreOpen(night) {
  if (night.phase === "accusation") return true;
  return night.phase === "vote" && (night.votes !== null || Boolean(night.readers));
}

function cardSheet(card, state) {
  const who = choosers(card, state);
  showSheet(say("touch_for_whom", { n: card }), who.map((each) =>
    button({ "data-psychic": each.colour, "aria-pressed": String(each.intuition === card) }, labelOf(each.colour, state),
      () => touch("place_intuition", { psychic: each.colour, card }))),
  (next) => (choosers(card, next).length ? cardSheet(card, next) : closeSheet()));
}

function betSheet(on, state) {
  const buttons = bettors(on, state).flatMap((by) => {
    const bet = betOf(by, on, state.night);
    const one = (agrees) => button({ "data-by": by.colour, "data-agrees": String(agrees), "aria-pressed": String(bet?.agrees === agrees) },
      [mark(by.colour), ` ${agrees ? "✓" : "✗"} `, say(agrees ? "touch_agrees" : "touch_doubts", { by: nameOf(by.colour, state) })],
      () => touch("bet", { by: by.colour, on: on.colour, agrees }));
    return [one(true), one(false), bet && button({ "data-by": by.colour }, [say("touch_withdraws", { by: nameOf(by.colour, state) })],
      () => touch("withdraw_bet", { by: by.colour, on: on.colour }))].filter(Boolean);
  });
  showSheet(say("touch_bets", { on: psychicName(on.colour, state.names), n: on.intuition }), buttons, (next) => {
    const now = next.night.psychics.find((each) => each.colour === on.colour);
    return now && bettors(now, next).length ? betSheet(now, next) : closeSheet();
  });
}

function groupSheet(group, state) {
  const { night } = state;
  const accusation = night.phase === "accusation";
  const named = (accusation ? night.pointing : night.votes) ?? {};
  const buttons = night.psychics.map((each) => button({ "data-by": each.colour, "aria-pressed": String(named[each.colour] === group) },
    labelOf(each.colour, state), () => touch(accusation ? "point_at" : "vote", { by: each.colour, group })));
  if (accusation && state.names_all_three) buttons.push(...threeCards(group, state));
  else if (accusation) buttons.push(button({ "data-intent": "accuse" }, [say("touch_accuse")], () => touch("accuse")));
  else if (!night.readers) buttons.push(button({ "data-intent": "accuse" }, [say("touch_all_accuse", { n: group })], () => touch("accuse", { group })));
  showSheet(say(accusation ? "touch_whose_ball" : "touch_whose_vote", { n: group }), buttons,
    (next) => (groupsAreOpen(next.night) ? groupSheet(group, next) : closeSheet()));
}

/** Return a row of cards of each kind, and the accusation once one of each is named. */
function threeCards(group, state) {
  const rows = KINDS.map((kind, at) => h("div", { class: "three" }, glyph(kind), state.night.groups.map(({ cards }) =>
    button({ "data-kind": kind, "data-value": cards[at], "aria-pressed": String(three[kind] === cards[at]), "aria-label": `${say(kind)} ${cards[at]}` },
      [String(cards[at])], () => {
        three = { ...three, [kind]: cards[at] };
        groupSheet(group, state);
      }))));
  const isWhole = KINDS.every((kind) => three[kind]);
  return [h("p", { class: "three" }, say("psychic_accuse_three")), ...rows,
    isWhole && button({ "data-intent": "accuse" }, [say("touch_accuse")], () => touch("accuse", three))].filter(Boolean);
}

function showSheet(title, buttons, redraw) {
  const focused = open === null;
  open = redraw;
  find("#sheet").hidden = false;
  write(find("#sheet-title"), title);
  find("#sheet-choices").replaceChildren(...buttons, button({ class: "leave" }, [say("do_not")], closeSheet));
  if (focused) find("#sheet-choices button")?.focus();
}

export function closeSheet() {
  open = null;
  find("#sheet").hidden = true;
  find("#sheet-choices").replaceChildren();
}

document.addEventListener("keydown", (event) => event.key === "Escape" && closeSheet());
