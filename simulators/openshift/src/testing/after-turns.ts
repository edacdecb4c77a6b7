/**
 * Returns a signal that aborts after a timer has fired `count` times. If the signal aborts during a call, the tested code has
 * yielded to the event loop.
 */
export function afterTurnsOfOthers(count: number): AbortSignal {
  const stop = new AbortController();
  let turns = 0;
  const timer = setInterval(() => {
    turns++;
    if (turns < count) return;
    clearInterval(timer);
    stop.abort();
  }, 1);
  return stop.signal;
}
