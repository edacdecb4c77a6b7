import { RequestFailed, send } from "./request.ts";

/**
 * Signs in with the token in a one-time link and removes the token from the address bar. Returns the reason if the sign-in fails.
 * Does nothing without a token.
 */
export async function signInByLink(): Promise<string | undefined> {
  const token = location.hash.slice(1);
  if (location.pathname !== "/open") return undefined;
  history.replaceState(null, "", "/");
  if (token === "") return undefined;
  try {
    await send("/api/sign-in", { method: "POST", body: { token } });
    return undefined;
  } catch (error) {
    return error instanceof RequestFailed ? error.message : "The console does not respond.";
  }
}
