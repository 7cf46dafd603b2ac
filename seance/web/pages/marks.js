// Drawn marks: each psychic has a shape, so that nobody needs to tell colours apart.
import { h, say } from "/static/page.js";

const SHAPES = {
  blue: "M12 2a10 10 0 1 1 0 20a10 10 0 1 1 0-20z",
  white: "M12 1L23 12L12 23L1 12z",
  red: "M3 3H21V21H3z",
  yellow: "M12 2L23 21H1z",
  purple: "M12 1.500L23 9.700L18.800 22.500H5.200L1 9.700z",
  black: "M6.500 2.500H17.500L23 12L17.500 21.500H6.500L1 12z",
};
const GLYPHS = {
  character: "M0-6.2a3 3 0 1 1 0 6a3 3 0 1 1 0-6zM-6 7.5c0-8 12-8 12 0z",
  location: "M0-6.5l7 6.3h-2v7.2h-3.4v-4.2h-3.2v4.2h-3.4v-7.2h-2z",
  object:
    "M-4-4.4a4.4 4.4 0 1 0 0 8.8a4.4 4.4 0 1 0 0-8.8zM-4-1.9a1.9 1.9 0 1 1 0 3.8a1.9 1.9 0 1 1 0-3.8z" +
    "M.3-1.3H8V4H5.9V1.3H4.6V3.2H2.6V1.3H.3z",
};

/** Return the shape of a psychic; without a label it is hidden from screen readers. */
export function mark(colour, label = null) {
  const shape = h("path", { d: SHAPES[colour], fill: `var(--${colour})`, stroke: "var(--rim)", "stroke-width": 1.6 });
  const accessibility = label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" };
  return h("svg", { class: `mark ${colour}`, viewBox: "0 0 24 24", ...accessibility }, shape);
}

/** Return the symbol of a kind of card. */
export function glyph(kind) {
  return h("svg", { class: "glyph", viewBox: "-9 -9 18 18", "aria-hidden": "true" },
    h("path", { d: GLYPHS[kind], "fill-rule": "evenodd" }));
}

/** Return the name and colour of a psychic, or the colour alone. */
export function psychicName(colour, names) {
  const name = names?.[colour];
  return name ? `${name} (${say(colour)})` : say(colour);
}
