import { parseProviderPath } from "./arm-path.ts";
import type { ArmRequest } from "./exchange.ts";
import type { Subscription } from "./subscription.ts";
import { draw } from "./timings.ts";

/** Returns the response latency of Azure Resource Manager for a request. Default: 0 ms. */
export function latencyOf(subscription: Subscription, request: ArmRequest): number {
  const { byRequest } = subscription.timings.latencies;
  const { method, segments } = request;
  const path = parseProviderPath(segments);
  const type = path && subscription.registry.find(path.namespace, path.types);
  const own = method === "PUT" ? type?.latency?.(request, subscription) : undefined;
  const verb = method.toLowerCase();
  return draw(own ?? byRequest[`${verb} ${typeOf(segments)}`] ?? byRequest[verb] ?? 0);
}

/** Returns the resource type of a path, in lower case. */
function typeOf(segments: readonly string[]): string {
  const path = parseProviderPath(segments);
  if (path) return `${path.namespace}/${path.types.join("/")}`.toLowerCase();
  const isGroup = segments.length === 4 && segments[2]?.toLowerCase() === "resourcegroups";
  return isGroup ? "microsoft.resources/resourcegroups" : "";
}
