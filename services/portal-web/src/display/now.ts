import { useEffect, useState } from "react";

/**
 * Returns the time in milliseconds, updated while `ticks`.
 * @param everyMs Default: each second.
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
