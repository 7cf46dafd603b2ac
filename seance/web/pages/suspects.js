// The line-up: groups, shared vision, votes, outcome.
import { glyph, mark, psychicName } from "/static/marks.js";
import { h, say } from "/static/page.js";

const KINDS = ["character", "location", "object"];

/** Return the suspects of a night, with votes on them. */
export function suspects(state) {
  const { night } = state;
  return h("div", { class: "ending" },
    night.outcome && ending(night.outcome),
    night.eldest_of && h("p", { class: "line" }, say("eldest_of", { who: night.eldest_of.map((each) => psychicName(each, state.names)).join(", ") })),
    night.groups.length ? h("section", { class: "groups", "aria-label": say("table_groups") },
      h("ol", {}, night.groups.map((group) => suspect(group, state)))) : null,
    night.groups.length ? shared(state) : null);
}

function ending(outcome) {
  return h("div", { class: "outcome" },
    h("p", { class: "eyebrow" }, say(outcome.won ? "won" : "lost")),
    h("p", { class: "line" }, say(`outcome_${outcome.reason}`)));
}

function suspect(group, state) {
  const { night } = state;
  const named = Object.entries(night.votes ?? night.pointing ?? {}).filter(([, n]) => n === group.group);
  const key = night.votes ? "votes_for" : "points_at";
  const guilty = state.culprit === group.group;
  return h("li", { class: guilty ? "suspect culprit" : "suspect", "data-group": group.group },
    guilty && h("p", { class: "guilty" }, say("culprit_was")),
    h("h2", {}, say("group", { n: group.group })),
    h("p", { class: "owner" }, group.psychic ? mark(group.psychic) : null,
      group.psychic ? state.names?.[group.psychic] ?? say(group.psychic) : say("nobodys_group")),
    h("ul", {}, group.cards.map((card, at) => state.lineup_kinds.includes(KINDS[at]) && h("li", {}, glyph(KINDS[at]), h("span", { class: "unseen" }, say(KINDS[at])),
      h("b", {}, String(card)), state.cards?.[card] ? h("small", {}, state.cards[card]) : null))),
    h("p", { class: "balls" }, named.map(([by]) => mark(by, say(key, { by: psychicName(by, state.names), n: group.group })))));
}

function shared(state) {
  const { night } = state;
  if (!["shared_vision", "vote", "eldest", "accusation", "over"].includes(night.phase)) return null;
  return h("section", { class: "shared", "aria-label": say("table_shared") },
    h("h2", {}, say("table_shared")),
    h("ol", {}, Array.from({ length: state.shared_vision_cards }, (_, at) => {
      const up = at < night.shared_vision_shown;
      const number = night.shared_vision?.[at];
      return h("li", { class: up ? "vision up" : "vision down" },
        h("span", { class: up && number ? "" : "unseen" }, up ? String(number ?? say("card", { n: at + 1 })) : say("face_down")));
    })));
}
