// The clairvoyancy track: how far each psychic has come, and how many shared cards they will see.
import { called, mark } from "/static/marks.js";
import { h, say } from "/static/page.js";

/** Return the track of a night that has one. */
export function track(told) {
  const { psychics } = told.night;
  if (psychics.some((each) => each.clairvoyancy === null)) return null;
  const limits = told.track ?? { intermediate: 5, high: 7 };
  const end = Math.max(limits.high + 2, ...psychics.map((each) => each.clairvoyancy));
  const spaces = Array.from({ length: end + 1 }, (_, n) => space(n, psychics.filter((each) => each.clairvoyancy === n), limits, told));
  return h("section", { class: "track", "aria-label": say("table_track") },
    h("h2", {}, say("table_track")),
    h("ol", {}, spaces));
}

function space(n, here, limits, told) {
  const zone = n >= limits.high ? "high" : n >= limits.intermediate ? "middle" : "low";
  const first = n === 0 || n === limits.intermediate || n === limits.high;
  return h("li", { class: `space ${zone}${first ? " first" : ""}` },
    h("span", { class: "on" }, here.map((each) => mark(each.colour, say("on_space", { psychic: called(each.colour, told.names), n })))),
    h("i", { "aria-hidden": "true" }, String(n)),
    first ? h("small", {}, say(`track_${zone}`)) : null);
}
