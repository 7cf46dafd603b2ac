// Knocks as synthesized sounds. A browser lets a page play sound only after it was touched.

let audio = null;

/** Switch sound on or off; return whether it is on. */
export async function switchSound(on) {
  if (!on) {
    await audio?.suspend();
    return false;
  }
  audio ??= new AudioContext();
  await audio.resume();
  return audio.state === "running";
}

const GAP_S = { yes: 0.5, no: 0.45, hour: 1.2, heartbeat: 0.8, call: 0.4 };

/** Play a knock. */
export function playKnock({ says, count }) {
  if (audio?.state !== "running") return;
  const now = audio.currentTime + 0.02;
  for (let at = 0; at < Math.min(count, 12); at += 1) {
    const when = now + at * (GAP_S[says] ?? 0.5);
    if (says === "hour") bell(when);
    else wood(when, says === "heartbeat" ? 0.35 : 0.9);
  }
}

function wood(when, volume) {
  tone(when, { from: 190, to: 62, volume, seconds: 0.16, kind: "sine" });
  tone(when, { from: 900, to: 240, volume: volume * 0.25, seconds: 0.03, kind: "triangle" });
}

function bell(when) {
  for (const [from, volume] of [[293, 0.3], [587, 0.14], [824, 0.08]]) {
    tone(when, { from, to: from, volume, seconds: 1.8, kind: "sine" });
  }
}

function tone(when, { from, to, volume, seconds, kind }) {
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = kind;
  oscillator.frequency.setValueAtTime(from, when);
  oscillator.frequency.exponentialRampToValueAtTime(to, when + seconds);
  gain.gain.setValueAtTime(volume, when);
  gain.gain.exponentialRampToValueAtTime(0.001, when + seconds);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(when);
  oscillator.stop(when + seconds);
}
