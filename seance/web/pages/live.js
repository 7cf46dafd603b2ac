// The event stream: after a sleep, a broken connection or a restart the next state replaces the last.

const RETRY_AFTER_MS = 1500;

/**
 * Listen to url; handlers maps names of events to functions of their data.
 * onConnection(true) is called with each event, onConnection(false) when the connection is lost, onRefused() on a 403.
 */
export function listen(url, { handlers, onConnection = () => {}, onRefused = null }) {
  let source = null;
  let timer = null;

  function open() {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(url);
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => {
        onConnection(true);
        handle(JSON.parse(event.data));
      });
    }
    source.onerror = onError;
  }

  async function onError() {
    // Some browsers do not reconnect by themselves, and none tells a 403 from a lost connection: ask once more.
    const [broken, gaveUp] = [source, source.readyState === EventSource.CLOSED];
    source.close();
    if (gaveUp && onRefused && (await statusOf(url)) === 403) return onRefused();
    if (source !== broken) return null;
    onConnection(false);
    clearTimeout(timer);
    timer = setTimeout(open, RETRY_AFTER_MS);
    return null;
  }

  function onVisible() {
    if (document.visibilityState === "visible") open();
  }

  // A phone that slept may hold a dead connection without noticing: connect again.
  document.addEventListener("visibilitychange", onVisible);
  window.addEventListener("online", open);
  window.addEventListener("pageshow", (event) => event.persisted && open());
  window.addEventListener("pagehide", () => source?.close());
  open();
  return { reconnect: open, close: () => source?.close() };
}

async function statusOf(url) {
  const stop = new AbortController();
  try {
    return (await fetch(url, { signal: stop.signal, cache: "no-store" })).status;
  } catch {
    return 0;
  } finally {
    stop.abort();
  }
}
