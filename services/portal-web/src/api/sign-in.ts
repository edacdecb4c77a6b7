const lastKey = "keelson-sign-in";
const loopMs = 10_000;

/** Returns the sign-in URL that redirects back to this location. */
export const signInPath = (place: string): string => `/api/login?redirect_uri=${encodeURIComponent(place)}`;

/** True if a redirection to the sign-in is allowed: not immediately after an ineffective one. */
export function mayRedirect(lastMs: string | null, nowMs: number): boolean {
  const last = Number(lastMs ?? Number.NaN);
  return !(nowMs - last < loopMs);
}

/** Redirects to the sign-in and back. Returns false if that just failed. */
export function goToSignIn(): boolean {
  if (!mayRedirect(sessionStorage.getItem(lastKey), Date.now())) return false;
  sessionStorage.setItem(lastKey, String(Date.now()));
  location.assign(signInPath(location.pathname + location.search));
  return true;
}
