import { ArmError } from "./arm-error.ts";
import type { Principal } from "./principal.ts";
import type { Subscription } from "./subscription.ts";

/** Requests that a caller may make at once, and how many more each second brings. */
export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
}

export const requestKinds = ["reads", "writes", "deletes"] as const;
export type RequestKind = (typeof requestKinds)[number];

export type RateLimitSettings = Readonly<Partial<Record<RequestKind, RateLimit>>>;

interface Bucket {
  readonly left: number;
  readonly atMs: number;
}

const kinds: Readonly<Record<string, RequestKind>> = { GET: "reads", HEAD: "reads", DELETE: "deletes" };

/**
 * What each caller has left in the subscription, of each kind of request, where the settings limit it.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export class RateLimits {
  readonly #buckets = new Map<string, Bucket>();

  /** Counts a request. The header says what is left, if any is limited. @throws ArmError 429 */
  take(
    { settings, clock, subscriptionId }: Pick<Subscription, "settings" | "clock" | "subscriptionId">,
    { objectId }: Principal,
    method: string,
  ): Record<string, string> {
    const kind = kinds[method] ?? "writes";
    const limit = settings.current.rateLimits[kind];
    const key = `${kind} ${objectId}`;
    if (!limit) {
      this.#buckets.delete(key);
      return {};
    }
    const nowMs = clock.monotonicMs();
    const before = this.#buckets.get(key) ?? { left: limit.burst, atMs: nowMs };
    const gained = ((nowMs - before.atMs) / 1_000) * limit.perSecond;
    const left = Math.min(limit.burst, before.left + gained) - 1;
    const header = `x-ms-ratelimit-remaining-subscription-${kind}`;
    if (left >= 0) {
      this.#buckets.set(key, { left, atMs: nowMs });
      return { [header]: String(Math.floor(left)) };
    }
    const seconds = Math.max(1, Math.ceil(-left / limit.perSecond));
    throw new ArmError(
      429,
      "SubscriptionRequestsThrottled",
      `Number of '${kind.slice(0, -1)}' requests for subscription '${subscriptionId}' actor '${objectId}' exceeded. Please try again after '${seconds}' seconds after additional tokens are available. Refer to https://aka.ms/arm-throttling for additional information.`,
      { headers: { "retry-after": String(seconds), [header]: "0" } },
    );
  }
}
