// Keeps the screen awake. Browsers give no wake lock to a page without https: there a silent, dark video that plays
// behind the page keeps most phones awake. It is drawn here, and nothing is fetched for it.

let lock = null;
let video = null;

/** Keep the screen awake; call again whenever the page is shown or touched. */
export async function stayAwake() {
  if (document.visibilityState !== "visible") return;
  if ("wakeLock" in navigator) {
    if (lock && !lock.released) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      document.body.dataset.awake = "lock";
      return;
    } catch {
      // Low battery, or not allowed: try the video.
    }
  }
  try {
    video ??= makeDarkVideo();
    await video.play();
    document.body.dataset.awake = "film";
  } catch {
    document.body.dataset.awake = "no";
  }
}

function makeDarkVideo() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 16;
  const paint = canvas.getContext("2d");
  let frame = 0;
  const draw = () => {
    paint.fillStyle = frame++ % 2 ? "#09080b" : "#09080c";
    paint.fillRect(0, 0, 16, 16);
  };
  draw();
  setInterval(draw, 1000);
  const element = document.createElement("video");
  element.className = "awake";
  element.muted = element.loop = element.playsInline = true;
  element.setAttribute("aria-hidden", "true");
  element.tabIndex = -1;
  element.srcObject = canvas.captureStream(1);
  document.body.append(element);
  return element;
}
