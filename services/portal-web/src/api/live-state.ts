/**
 * State of the connection for change events.
 *
 *     connecting --opened--> live --lost--> waiting --due--> connecting
 *     connecting --lost--> waiting, with a doubled delay each time
 *     any --signedOut--> ended
 */
export type LiveState =
  | { readonly mode: "connecting"; readonly failures: number }
  | { readonly mode: "live" }
  | { readonly mode: "waiting"; readonly failures: number; readonly delayMs: number }
  | { readonly mode: "ended" };

export type LiveInput =
  | { readonly type: "opened" | "due" | "signedOut" }
  /**
   * The connection was lost. `random` is a number between 0 and 1. The random number distributes the reconnections of all clients
   * over time.
   */
  | { readonly type: "lost"; readonly random: number };

const firstDelayMs = 500;
export const longestDelayMs = 30_000;

export const initialLiveState: LiveState = { mode: "connecting", failures: 0 };

export function nextLiveState(state: LiveState, input: LiveInput): LiveState {
  if (state.mode === "ended") return state;
  switch (input.type) {
    case "signedOut":
      return { mode: "ended" };
    case "opened":
      return state.mode === "connecting" ? { mode: "live" } : state;
    case "due":
      return state.mode === "waiting" ? { mode: "connecting", failures: state.failures } : state;
    case "lost": {
      if (state.mode === "waiting") return state;
      const failures = state.mode === "live" ? 1 : state.failures + 1;
      const longest = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 10));
      return { mode: "waiting", failures, delayMs: Math.round(longest * (0.5 + input.random / 2)) };
    }
  }
}
