const lastKey = "keelson-sign-in";
const loopMs = 10_000;

/** Where a sign-in leads back to this place. */
export const signInPath = (place: string): string => `/api/login?redirect_uri=${encodeURIComponent(place)}`;

/** Whether it is time to lead to a sign-in: not again at once, where one has just been without effect. */
export function mayRedirect(lastMs: string | null, nowMs: number): boolean {
  const last = Number(lastMs ?? Number.NaN);
  return !(nowMs - last < loopMs);
}

/** Leads to the sign-in and back here. False when that was just tried in vain. */
export function goToSignIn(): boolean {
  if (!mayRedirect(sessionStorage.getItem(lastKey), Date.now())) return false;
  sessionStorage.setItem(lastKey, String(Date.now()));
  location.assign(signInPath(location.pathname + location.search));
  return true;
}
