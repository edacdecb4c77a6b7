import { CloudError } from "@keelson/arm";
import { isAdminRequest } from "@keelson/auth";
import type { Clock } from "@keelson/base";
import { LRUCache } from "lru-cache";
import type { RequestContext } from "./request-context.ts";

/** Token bucket: `burst` requests at once, and `perSecond` more each second. */
export interface RequestLimit {
  readonly burst: number;
  readonly perSecond: number;
}

type RequestKind = "reads" | "writes" | "deletes";

/** Limits per subscription. A kind without one is not limited. */
export type RequestLimits = Readonly<Partial<Record<RequestKind, RequestLimit>>>;

interface Bucket {
  readonly left: number;
  readonly atMs: number;
}

const kinds: Readonly<Record<string, RequestKind>> = { GET: "reads", HEAD: "reads", DELETE: "deletes" };

/** A subscription that is forgotten begins with a full bucket. */
const maxBuckets = 30_000;

/**
 * Counts the requests of each subscription, as Azure Resource Manager does in front of a resource provider.
 * @see https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export class RequestCounter {
  readonly #limits: RequestLimits;
  readonly #clock: Clock;
  readonly #buckets = new LRUCache<string, Bucket>({ maxSize: maxBuckets, sizeCalculation: () => 1 });

  constructor(limits: RequestLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Counts a request of a customer and returns the header with the number of remaining requests.
   * @throws SubscriptionRequestsThrottled (429)
   */
  count(request: RequestContext): Readonly<Record<string, string>> {
    const { subscriptionId } = request.parameters;
    const kind = kinds[request.method] ?? "writes";
    const limit = this.#limits[kind];
    if (!limit || subscriptionId === undefined || isAdminRequest(request)) return {};
    const nowMs = this.#clock.monotonicMs();
    const key = `${kind} ${subscriptionId}`;
    const before = this.#buckets.get(key) ?? { left: limit.burst, atMs: nowMs };
    const gained = ((nowMs - before.atMs) / 1_000) * limit.perSecond;
    const left = Math.min(limit.burst, before.left + gained) - 1;
    const header = `x-ms-ratelimit-remaining-subscription-${kind}`;
    if (left >= 0) {
      this.#buckets.set(key, { left, atMs: nowMs });
      return { [header]: `${Math.floor(left)}` };
    }
    const retryAfterSeconds = Math.max(1, Math.ceil(-left / limit.perSecond));
    throw new CloudError(
      "SubscriptionRequestsThrottled",
      `Number of '${kind.slice(0, -1)}' requests for subscription '${subscriptionId}' exceeded. ` +
        `Please try again after '${retryAfterSeconds}' seconds.`,
      { headers: { "retry-after": `${retryAfterSeconds}`, [header]: "0" } },
    );
  }
}
