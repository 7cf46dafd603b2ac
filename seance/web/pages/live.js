// The stream from the house: after a sleep, a broken line or a restart it simply shows the present state.

const AGAIN_AFTER = 1500;

/**
 * Listen to url; hear maps names of events to what is done with them.
 * touch(true) when the house answers, touch(false) when it does not, refused() when it will not.
 */
export function listen(url, { hear, touch = () => {}, refused = null }) {
  let source = null;
  let timer = null;

  function open() {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(url);
    for (const [name, does] of Object.entries(hear)) {
      source.addEventListener(name, (event) => {
        touch(true);
        does(JSON.parse(event.data));
      });
    }
    source.onerror = lost;
  }

  async function lost() {
    // Browsers try again by themselves, some not always: whether the house will not, or only cannot, it says itself.
    const [broken, gaveUp] = [source, source.readyState === EventSource.CLOSED];
    source.close();
    if (gaveUp && refused && (await answerOf(url)) === 403) return refused();
    if (source !== broken) return null;
    touch(false);
    clearTimeout(timer);
    timer = setTimeout(open, AGAIN_AFTER);
    return null;
  }

  function wake() {
    if (document.visibilityState === "visible") open();
  }

  // A phone that slept may hold a line that is dead without knowing it: begin anew.
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", open);
  window.addEventListener("pageshow", (event) => event.persisted && open());
  window.addEventListener("pagehide", () => source?.close());
  open();
  return { again: open, close: () => source?.close() };
}

async function answerOf(url) {
  const stop = new AbortController();
  try {
    return (await fetch(url, { signal: stop.signal, cache: "no-store" })).status;
  } catch {
    return 0;
  } finally {
    stop.abort();
  }
}
