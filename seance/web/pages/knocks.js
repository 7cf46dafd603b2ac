// Knocks as a sound: a short thump of wood, made here. A browser lets a page sound only after it was touched.

let room = null;

/** Let this page be heard, or not; return whether it is. */
export async function letSound(on) {
  if (!on) {
    await room?.suspend();
    return false;
  }
  room ??= new AudioContext();
  await room.resume();
  return room.state === "running";
}

const GAP = { yes: 0.5, no: 0.45, hour: 1.2, heartbeat: 0.8 };

/** Sound a knock of the house. */
export function sound({ says, count }) {
  if (room?.state !== "running") return;
  const now = room.currentTime + 0.02;
  for (let at = 0; at < Math.min(count, 12); at += 1) {
    const when = now + at * (GAP[says] ?? 0.5);
    if (says === "hour") bell(when);
    else wood(when, says === "heartbeat" ? 0.35 : 0.9);
  }
}

function wood(when, loud) {
  tone(when, { from: 190, to: 62, loud, long: 0.16, kind: "sine" });
  tone(when, { from: 900, to: 240, loud: loud * 0.25, long: 0.03, kind: "triangle" });
}

function bell(when) {
  for (const [from, loud] of [[293, 0.3], [587, 0.14], [824, 0.08]]) {
    tone(when, { from, to: from, loud, long: 1.8, kind: "sine" });
  }
}

function tone(when, { from, to, loud, long, kind }) {
  const voice = room.createOscillator();
  const gain = room.createGain();
  voice.type = kind;
  voice.frequency.setValueAtTime(from, when);
  voice.frequency.exponentialRampToValueAtTime(to, when + long);
  gain.gain.setValueAtTime(loud, when);
  gain.gain.exponentialRampToValueAtTime(0.001, when + long);
  voice.connect(gain).connect(room.destination);
  voice.start(when);
  voice.stop(when + long);
}
