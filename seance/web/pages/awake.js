// A screen that does not sleep. Where the page is not served over https, browsers lend no wake lock: there a silent
// picture that plays behind the page keeps most phones awake. It is as dark as the page and nothing is fetched for it.

let lock = null;
let film = null;

/** Keep the screen awake; call it again whenever the page is shown or touched. */
export async function stayAwake() {
  if (document.visibilityState !== "visible") return;
  if ("wakeLock" in navigator) {
    if (lock && !lock.released) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      document.body.dataset.awake = "lock";
      return;
    } catch {
      // Low battery, or not allowed: the picture may still do.
    }
  }
  try {
    film ??= darkFilm();
    await film.play();
    document.body.dataset.awake = "film";
  } catch {
    document.body.dataset.awake = "no";
  }
}

function darkFilm() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 16;
  const paint = canvas.getContext("2d");
  let turn = 0;
  const draw = () => {
    paint.fillStyle = turn++ % 2 ? "#09080b" : "#09080c";
    paint.fillRect(0, 0, 16, 16);
  };
  draw();
  setInterval(draw, 1000);
  const video = document.createElement("video");
  video.className = "awake";
  video.muted = video.loop = video.playsInline = true;
  video.setAttribute("aria-hidden", "true");
  video.tabIndex = -1;
  video.srcObject = canvas.captureStream(1);
  document.body.append(video);
  return video;
}
