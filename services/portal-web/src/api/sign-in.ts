const lastKey = "keelson-sign-in";
const loopMs = 10_000;

/** Returns the sign-in URL. The sign-in page redirects back to `place`. */
export const signInPath = (place: string): string => `/api/login?redirect_uri=${encodeURIComponent(place)}`;

/** True if a redirect to the sign-in page is allowed. False if a previous redirect has just returned without a sign-in. */
export function mayRedirect(lastMs: string | null, nowMs: number): boolean {
  const last = Number(lastMs ?? Number.NaN);
  return !(nowMs - last < loopMs);
}

/** Redirects to the sign-in page. Returns false if the previous redirect has just failed. */
export function goToSignIn(): boolean {
  if (!mayRedirect(sessionStorage.getItem(lastKey), Date.now())) return false;
  sessionStorage.setItem(lastKey, String(Date.now()));
  location.assign(signInPath(location.pathname + location.search));
  return true;
}
