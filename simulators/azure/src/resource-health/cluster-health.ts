import type { ArmRequest, ArmResponse } from "../arm/exchange.ts";
import type { Subscription } from "../arm/subscription.ts";
import { authorize } from "../authorization/enforcement/enforcement.ts";
import { isClusterId } from "../resource-provider/cluster-id.ts";
import type { ClientRequest, ProviderFront } from "../resource-provider/provider-front.ts";

/** API version of the resource provider's cluster health endpoint. */
const providerApiVersion = "2025-07-25";
const suffix = /^\/providers\/Microsoft\.ResourceHealth\/availabilityStatuses(\/current)?$/i;

interface HealthPath {
  /** Path segments of the cluster ID. */
  readonly cluster: readonly string[];
  /** `/current` for the current health, or empty for the list. */
  readonly which: string;
}

/** Parses the path `{cluster}/providers/Microsoft.ResourceHealth/availabilityStatuses[/current]`. */
export function parseClusterHealthPath(segments: readonly string[]): HealthPath | undefined {
  const cluster = segments.slice(0, 8);
  const [match, which = ""] = suffix.exec(`/${segments.slice(8).join("/")}`) ?? [];
  return match !== undefined && isClusterId(`/${cluster.join("/")}`)
    ? { cluster, which: which.toLowerCase() }
    : undefined;
}

/**
 * Returns the health of a cluster. The resource provider serves this document at the path `availabilityStatuses` of the cluster.
 * Callers need the right to read `Microsoft.ResourceHealth/availabilityStatuses`.
 * @throws ArmError
 */
export function clusterHealth(
  { cluster, which }: HealthPath,
  request: ArmRequest,
  client: ClientRequest,
  { subscription, provider }: { readonly subscription: Subscription; readonly provider: ProviderFront },
): Promise<ArmResponse> {
  authorize(subscription, request);
  const segments = [...cluster, "availabilityStatuses", ...(which === "" ? [] : ["current"])];
  const query = new URLSearchParams({ "api-version": providerApiVersion });
  const target = `/${segments.map(encodeURIComponent).join("/")}?${query}`;
  return provider.forward({ ...request, segments, query }, { ...client, target });
}
