import type { ActionContext, ActionJournal, AdminAction, ConnectCluster } from "@keelson/admin-actions";
import type { JsonObject } from "@keelson/base";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Response } from "../http/messages/response.ts";

export interface CountedConnections {
  readonly connectCluster: ConnectCluster;
  open(): number;
  failNext(error: Error): void;
}

/** Returns a connect function for tests that counts open connections. The connections reach no cluster. */
export function countedConnections(): CountedConnections {
  let open = 0;
  let failure: Error | undefined;
  const unreachable = (): never => {
    throw new Error("this test has no cluster");
  };
  return {
    open: () => open,
    failNext(error) {
      failure = error;
    },
    connectCluster(document, { logger, signal }) {
      const thrown = failure;
      failure = undefined;
      if (thrown) throw thrown;
      open++;
      return {
        document,
        get azure() {
          return unreachable();
        },
        kube: unreachable,
        clock: { now: () => new Date(), monotonicMs: () => 0, sleep: unreachable },
        logger,
        signal,
        async [Symbol.asyncDispose]() {
          open--;
        },
      };
    },
  };
}

/** Returns an action with the single parameter `name`. The test provides the action's behaviour. */
export function testAction(
  suffix: string,
  handle: (context: ActionContext, parameters: JsonObject, journal: ActionJournal) => Promise<Response>,
  declared: Partial<AdminAction> = {},
): AdminAction {
  return {
    method: "POST",
    suffix,
    mutating: true,
    read: (request: RequestContext): JsonObject => ({ name: request.query("name") ?? "" }),
    handle,
    ...declared,
  };
}

/** Gate at which an action waits until a test opens the gate or the action's signal aborts. */
export class Gate {
  readonly #open = Promise.withResolvers<void>();
  readonly #entered = Promise.withResolvers<void>();

  /** Resolves when the action reaches the gate. */
  get entered(): Promise<void> {
    return this.#entered.promise;
  }

  open(): void {
    this.#open.resolve();
  }

  async pass(signal: AbortSignal): Promise<void> {
    this.#entered.resolve();
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    await Promise.race([this.#open.promise, promise]);
  }
}
