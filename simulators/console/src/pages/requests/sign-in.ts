import { RequestFailed, send } from "./request.ts";

/**
 * Signs in with the token of a one-time link and removes the token from the address. Returns the reason of a refusal, or
 * undefined. Without a token it does nothing.
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
