import {
  failures,
  fieldError,
  internalError,
  type KubeObject,
  sameJson,
  scalarStringAt,
} from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt } from "@keelson/base";
import type { StrategyContext } from "../kinds/strategy.ts";
import { withFamilies } from "./address-families.ts";
import { carriedOver, withAgreeingAddresses, withoutUnused } from "./carry-over.ts";
import { withNodePorts } from "./node-ports.ts";
import { isHeadless, isLoadBalancer } from "./service-needs.ts";
import { holdingsOfService, ServicePools } from "./service-pools.ts";
import { withIngressModes } from "./service-status.ts";

type Spec = Readonly<Record<string, unknown>>;

/**
 * Sets defaults of a Service and allocates its address and ports. The allocation takes effect when the Service is stored, unless
 * a different Service has claimed one of these values in the meantime.
 * @throws StatusError 422, 500 if the range is exhausted
 */
export function applyServiceDefaults(
  service: KubeObject,
  current: KubeObject | undefined,
  { store, withTypeDefaults }: Pick<StrategyContext, "store" | "withTypeDefaults">,
): KubeObject {
  if (current && sameJson(service.spec, current.spec)) return withStatus(service, service.spec);
  const { name } = service.metadata;
  const before = current && objectAt(current, "spec");
  const pools = new ServicePools(store.holdings("/services", holdingsOfService));
  const given = objectAt(withTypeDefaults(service), "spec");
  const known = withAgreeingAddresses(before ? carriedOver(given, before) : given, before);
  const addressed = withAddress(name, withFamilies(name, known, before), before, pools);
  const complete = withNodePorts(name, addressed, before, pools);
  const spec = withoutEmptyAddress(before ? withoutUnused(complete, before) : complete);
  if (isLoadBalancer(spec)) return withStatus(service, spec);
  const { loadBalancer: _, ...status } = objectAt(service, "status");
  return withStatus({ ...service, status }, spec);
}

/** Omits an empty address, like Go. Only Services of type ExternalName have no address. */
function withoutEmptyAddress(spec: Spec): Spec {
  if (spec.clusterIP !== "") return spec;
  const { clusterIP: _, ...rest } = spec;
  return rest;
}

function withStatus(service: KubeObject, spec: unknown): KubeObject {
  const status = { loadBalancer: {}, ...objectAt(service, "status") };
  const { apiVersion, kind, metadata } = service;
  const isBalanced = scalarStringAt(spec, "type") === "LoadBalancer";
  return {
    ...service,
    apiVersion,
    kind,
    metadata,
    spec,
    status: isBalanced ? withIngressModes(status) : status,
  };
}

/** Allocates an address for a new Service, or for a Service that no longer has the type ExternalName. */
function withAddress(name: string, spec: Spec, before: Spec | undefined, pools: ServicePools): Spec {
  const keeps = before !== undefined && before.type !== "ExternalName";
  if (spec.type === "ExternalName" || isHeadless(spec) || keeps) return spec;
  const [asked] = stringsAt(spec, "clusterIPs");
  if (asked) {
    const why = pools.takeAddress(asked);
    if (!why) return spec;
    throw failures.invalid({ group: "", kind: "Service" }, name, [
      fieldError.invalid(
        "spec.clusterIPs",
        listAt(spec, "clusterIPs"),
        `failed to allocate IP ${asked}: ${why}`,
      ),
    ]);
  }
  const clusterIP = pools.nextAddress();
  if (!clusterIP) throw internalError("failed to allocate a serviceIP: range is full");
  return { ...spec, clusterIP, clusterIPs: [clusterIP] };
}
