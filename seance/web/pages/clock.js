// The clock of the manor: the hours around a dial, the hand, and the sand as a ring that empties.
import { h, hourMark, hourName, say } from "/static/page.js";

const RING_LENGTH = 2 * Math.PI * 92;

const pointAt = (angle, radius) => [Math.sin(angle) * radius, -Math.cos(angle) * radius];
const angleOf = (hour, of) => (2 * Math.PI * (hour - 1)) / of;

/** Return the clock at an hour of so many; null draws it without a hand. */
export function clock(hour, of) {
  const label = hour ? say("clock_label", { time: hourName(hour), of }) : say("phase_none");
  return h("svg", { class: "clock", viewBox: "-110 -110 220 220", role: "img", "aria-label": label },
    h("circle", { class: "rim", r: 104 }),
    h("circle", { class: "dial", r: 98 }),
    h("circle", { class: "ground", r: 92 }),
    h("circle", { class: "sand", r: 92, transform: "rotate(-90)", "stroke-dasharray": `0 ${RING_LENGTH}` }),
    h("circle", { class: "inner", r: 51 }),
    ticks(of),
    hours(hour, of),
    hour ? hand(angleOf(hour, of)) : null,
    h("path", { class: "moon", d: "M6-16a17 17 0 1 0 10 27a14 14 0 1 1-10-27z", transform: "rotate(-20)" }));
}

function hours(now, of) {
  return Array.from({ length: of }, (_, index) => {
    const hour = index + 1;
    const [x, y] = pointAt(angleOf(hour, of), 71);
    const when = !now || hour > now ? "to-come" : hour === now ? "now" : "past";
    return h("text", { class: `hour ${when}`, x: x.toFixed(1), y: (y + 7).toFixed(1) }, hourMark(hour));
  });
}

function ticks(of) {
  return Array.from({ length: of * 4 }, (_, index) => {
    const angle = (2 * Math.PI * index) / (of * 4);
    const [from, to] = [pointAt(angle, index % 4 ? 47.5 : 46), pointAt(angle, index % 4 ? 49.5 : 51)];
    return h("path", { class: "tick", d: `M${from.map((n) => n.toFixed(1))}L${to.map((n) => n.toFixed(1))}` });
  });
}

function hand(angle) {
  const degrees = ((angle * 180) / Math.PI).toFixed(1);
  return h("g", { class: "hand", transform: `rotate(${degrees})` },
    h("path", { d: "M0 26L-3.500 14L-2-28Q-6.500-33 0-44Q6.500-33 2-28L3.500 14z" }),
    h("circle", { r: 5 }));
}

/** Show the fraction of sand left, from 0 to 1; null is no sand. */
export function showSand(clockElement, fraction) {
  const length = fraction === null ? 0 : RING_LENGTH * Math.max(0, Math.min(1, fraction));
  clockElement.querySelector(".sand").setAttribute("stroke-dasharray", `${length.toFixed(1)} ${RING_LENGTH.toFixed(1)}`);
}
