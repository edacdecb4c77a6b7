import { CloudError } from "@keelson/arm";
import { isAdminRequest } from "@keelson/auth";
import { type Clock, TokenBuckets, type TokenLimit } from "@keelson/base";
import type { RequestContext } from "./messages/request-context.ts";

type RequestKind = "reads" | "writes" | "deletes";

/** Request limits per subscription, by kind of request. A kind that is not listed is unlimited. */
export type RequestLimits = Readonly<Partial<Record<RequestKind, TokenLimit>>>;

const kinds: Readonly<Record<string, RequestKind>> = { GET: "reads", HEAD: "reads", DELETE: "deletes" };

/**
 * Counts and limits the requests of each subscription. Azure Resource Manager limits requests in the same way before it forwards
 * them to a resource provider. @see
 * https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export class RequestCounter {
  readonly #limits: RequestLimits;
  readonly #clock: Clock;
  readonly #buckets = new TokenBuckets();

  constructor(limits: RequestLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * Counts a customer's request. Returns the header with the number of remaining requests.
   * @throws SubscriptionRequestsThrottled (429)
   */
  count(request: RequestContext): Readonly<Record<string, string>> {
    const { subscriptionId } = request.parameters;
    const kind = kinds[request.method] ?? "writes";
    const limit = this.#limits[kind];
    if (!limit || subscriptionId === undefined || isAdminRequest(request)) return {};
    const header = `x-ms-ratelimit-remaining-subscription-${kind}`;
    const taken = this.#buckets.take(`${kind} ${subscriptionId}`, limit, this.#clock);
    if ("left" in taken) return { [header]: `${taken.left}` };
    const { retryAfterSeconds } = taken;
    throw new CloudError(
      "SubscriptionRequestsThrottled",
      `Number of '${kind.slice(0, -1)}' requests for subscription '${subscriptionId}' exceeded. ` +
        `Please try again after '${retryAfterSeconds}' seconds.`,
      { headers: { "retry-after": `${retryAfterSeconds}`, [header]: "0" } },
    );
  }
}
