import type { PortalEvents } from "@keelson/portal-api";
import { initialLiveState, type LiveInput, type LiveState, nextLiveState } from "./live-state.ts";
import { RequestFailed, send } from "./request.ts";

type Handlers = { readonly [Name in keyof PortalEvents]: (event: PortalEvents[Name]) => void };

export interface LiveConnectionDeps extends Handlers {
  readonly onMode: (mode: LiveState["mode"]) => void;
  /** Called after the sign-in has ended. */
  readonly onSignedOut: () => void;
}

/** Connection to `/api/events`. It is open between `start` and `stop`, and reconnects after failures. */
export class LiveConnection {
  readonly #deps: LiveConnectionDeps;
  #state: LiveState = initialLiveState;
  #source: EventSource | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: LiveConnectionDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#connect();
  }

  stop(): void {
    this.#enter({ type: "signedOut" });
  }

  #enter(input: LiveInput): void {
    const before = this.#state;
    this.#state = nextLiveState(before, input);
    if (this.#state === before) return;
    this.#deps.onMode(this.#state.mode);
    if (this.#state.mode !== "live") this.#close();
    if (this.#state.mode === "connecting") this.#connect();
    if (this.#state.mode === "waiting")
      this.#timer = setTimeout(() => void this.#retry(), this.#state.delayMs);
  }

  #close(): void {
    this.#source?.close();
    this.#source = undefined;
    clearTimeout(this.#timer);
  }

  /** Sends a regular request to find the reason for a failure, because an event source does not expose the reason. */
  async #retry(): Promise<void> {
    try {
      await send("/api/info");
    } catch (error) {
      if (error instanceof RequestFailed && error.status === 401) {
        this.#enter({ type: "signedOut" });
        this.#deps.onSignedOut();
        return;
      }
    }
    this.#enter({ type: "due" });
  }

  #connect(): void {
    const source = new EventSource("/api/events");
    this.#source = source;
    source.addEventListener("open", () => this.#enter({ type: "opened" }));
    source.addEventListener("error", () => this.#enter({ type: "lost", random: Math.random() }));
    const follow = <Name extends keyof PortalEvents>(name: Name) =>
      source.addEventListener(name, ({ data }: MessageEvent<string>) => this.#deps[name](JSON.parse(data)));
    follow("resync");
    follow("cluster");
    follow("removed");
    follow("health");
    follow("operation");
  }
}
