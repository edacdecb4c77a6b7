import { type Clock, TokenBuckets, type TokenLimit } from "@keelson/base";
import { ArmError } from "./arm-error.ts";
import type { Principal } from "./principal.ts";

export const requestKinds = ["reads", "writes", "deletes"] as const;
type RequestKind = (typeof requestKinds)[number];

export type RateLimitSettings = Readonly<Partial<Record<RequestKind, TokenLimit>>>;

/** Subset of a subscription that is needed to limit the number of requests. */
interface LimitedSubscription {
  readonly subscriptionId: string;
  readonly clock: Clock;
  readonly settings: { readonly current: { readonly rateLimits: RateLimitSettings } };
}

const kinds: Readonly<Record<string, RequestKind>> = { GET: "reads", HEAD: "reads", DELETE: "deletes" };

/**
 * Remaining requests per caller and kind of request. The number is unlimited if the settings define no limit.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export class RateLimits {
  readonly #buckets = new TokenBuckets();

  /** Counts a request. If requests are limited, returns the header with the remaining number. @throws ArmError 429 */
  take(
    { settings, clock, subscriptionId }: LimitedSubscription,
    { objectId }: Principal,
    method: string,
  ): Record<string, string> {
    const kind = kinds[method] ?? "writes";
    const limit = settings.current.rateLimits[kind];
    const key = `${kind} ${objectId}`;
    if (!limit) {
      this.#buckets.forget(key);
      return {};
    }
    const header = `x-ms-ratelimit-remaining-subscription-${kind}`;
    const taken = this.#buckets.take(key, limit, clock);
    if ("left" in taken) return { [header]: String(taken.left) };
    const { retryAfterSeconds: seconds } = taken;
    throw new ArmError(
      429,
      "SubscriptionRequestsThrottled",
      `Number of '${kind.slice(0, -1)}' requests for subscription '${subscriptionId}' actor '${objectId}' exceeded. Please try again after '${seconds}' seconds after additional tokens are available. Refer to https://aka.ms/arm-throttling for additional information.`,
      { headers: { "retry-after": String(seconds), [header]: "0" } },
    );
  }
}
