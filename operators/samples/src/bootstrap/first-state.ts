import { type Clock, type Logger, messageOf, onTimeDeadline, stringAt } from "@keelson/base";
import type { KubeApi } from "@keelson/kube";
import { isRegistryBlocked } from "../config/registry-rules.ts";
import { configImages, configKey, proxies } from "../resources/resources.ts";
import type { FirstState } from "./default-config.ts";
import { type RegistryAccess, termsBasedRegistry } from "./registry-access.ts";

const limitMs = 5 * 60_000;
const pauseMs = 20_000;

export interface FirstStateDeps {
  readonly api: KubeApi;
  readonly registry: RegistryAccess;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Decides the initial state of the samples. The state is `Removed` if the machine has only IPv6 or if registries are blocked. It
 * is `Unreachable` if the registry is unreachable for five minutes in which this process was not suspended or delayed. In all
 * other cases, it is `Managed`. If the cluster has a proxy, no connection is attempted.
 */
export class FirstStateCheck {
  readonly #deps: FirstStateDeps;
  /** Function that returns true after the time limit has passed. The limit starts with the first failed connection attempt. */
  #isOver: (() => boolean) | undefined;

  constructor(deps: FirstStateDeps) {
    this.#deps = deps;
  }

  /** Returns the state, or the time in ms until the next attempt. */
  async decide(
    signal: AbortSignal,
  ): Promise<{ readonly state: FirstState } | { readonly requeueAfterMs: number }> {
    const { api, registry, clock, logger } = this.#deps;
    if (registry.isIpv6Only()) return this.#decided("Removed");
    const image = await api.find(configImages, configKey, signal);
    if ([termsBasedRegistry, "quay.io"].some((each) => isRegistryBlocked(image, each)))
      return this.#decided("Removed");
    const proxy = await api.find(proxies, configKey, signal);
    if (stringAt(proxy, "status", "httpProxy") || stringAt(proxy, "status", "httpsProxy"))
      return this.#decided("Managed");
    try {
      await registry.connect(termsBasedRegistry, signal);
      return this.#decided("Managed");
    } catch (error) {
      signal.throwIfAborted();
      this.#isOver ??= onTimeDeadline(clock, limitMs, Number.POSITIVE_INFINITY);
      logger.warn(
        { registry: termsBasedRegistry, error: messageOf(error) },
        "the registry cannot be reached",
      );
      return this.#isOver() ? this.#decided("Unreachable") : { requeueAfterMs: pauseMs };
    }
  }

  #decided(state: FirstState): { readonly state: FirstState } {
    this.#isOver = undefined;
    return { state };
  }
}
