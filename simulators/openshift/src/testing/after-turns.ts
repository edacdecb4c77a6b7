/**
 * Aborts after a timer has fired `count` times, which proves that the code under test yields to the event
 * loop.
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
