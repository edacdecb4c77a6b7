import { useEffect, useState } from "react";

/**
 * Returns the current time in ms. It is updated while `ticks` is true.
 * @param everyMs Update interval in ms. Default: 1,000.
 */
export function useNow(ticks: boolean, everyMs = 1_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!ticks) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [ticks, everyMs]);
  return now;
}
