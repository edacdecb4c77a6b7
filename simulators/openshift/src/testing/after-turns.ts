/** Aborts once timers of others have fired `count` times: proof that what runs meanwhile gives the event loop back. */
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
