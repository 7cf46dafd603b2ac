// The clairvoyancy track: each psychic's space, and how many shared cards it lets them see.
import { mark, psychicName } from "/static/marks.js";
import { h, say } from "/static/page.js";

/** Return the track; null if the night has none. */
export function track(state) {
  const { psychics } = state.night;
  if (!state.track || psychics.some((each) => each.clairvoyancy === null)) return null;
  const limits = state.track;
  const end = Math.max(limits.high + 2, ...psychics.map((each) => each.clairvoyancy));
  const spaces = Array.from({ length: end + 1 }, (_, n) => space(n, psychics.filter((each) => each.clairvoyancy === n), limits, state));
  return h("section", { class: "track", "aria-label": say("table_track") },
    h("h2", {}, say("table_track")),
    h("ol", {}, spaces));
}

function space(n, here, limits, state) {
  const zone = n >= limits.high ? "high" : n >= limits.intermediate ? "middle" : "low";
  const first = n === 0 || n === limits.intermediate || n === limits.high;
  return h("li", { class: `space ${zone}${first ? " first" : ""}` },
    h("span", { class: "on" }, here.map((each) => mark(each.colour, say("on_space", { psychic: psychicName(each.colour, state.names), n })))),
    h("i", { "aria-hidden": "true" }, String(n)),
    first ? h("small", {}, say(`track_${zone}`)) : null);
}
