import { type KubeObject, type StatusCause, sameJson, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, valueAt } from "@keelson/base";
import { ingressHostname, ipAddress } from "../catalogue/addresses.ts";
import { Findings } from "../catalogue/findings.ts";
import { isLoadBalancer } from "./service-needs.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Sets the default `ipMode` of a load balancer's addresses. */
export function withIngressModes(status: Fields): Fields {
  const balancer = objectAt(status, "loadBalancer");
  const ingress = listAt(balancer, "ingress");
  const isComplete = ingress.every((each) => scalarStringAt(each, "ip") === "" || valueAt(each, "ipMode"));
  if (isComplete) return status;
  const complete = ingress.map((each) => {
    const isAddress = scalarStringAt(each, "ip") !== "" && valueAt(each, "ipMode") === undefined;
    return isAddress ? { ...objectAt(each), ipMode: "VIP" } : each;
  });
  return { ...status, loadBalancer: { ...balancer, ingress: complete } };
}

/** Validates the ingress points of a Service's load balancer if they changed. */
export function validateServiceStatus(
  service: KubeObject,
  current: KubeObject | undefined,
): readonly StatusCause[] {
  const path = ["status", "loadBalancer", "ingress"];
  const ingress = listAt(service, ...path);
  if (ingress.length === 0 || sameJson(ingress, valueAt(current, ...path))) return [];
  const findings = new Findings();
  for (const segment of path) findings.enter(segment);
  if (isLoadBalancer(objectAt(service, "spec"))) checkIngress(ingress, findings);
  else findings.forbidden("may only be used when `spec.type` is 'LoadBalancer'");
  return findings.causes;
}

/**
 * Validates ingress points.
 * @see kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateLoadBalancerStatus)
 */
function checkIngress(ingress: readonly unknown[], findings: Findings): void {
  for (const [at, each] of ingress.entries()) {
    const [ip, hostname, mode] = [
      scalarStringAt(each, "ip"),
      scalarStringAt(each, "hostname"),
      valueAt(each, "ipMode"),
    ];
    const wrong = ip === "" ? undefined : ipAddress(ip);
    if (wrong) findings.invalid(ip, wrong, at, "ip");
    if (ip === "" && mode !== undefined)
      findings.forbidden("may not be specified when `ip` is not set", at, "ipMode");
    else if (mode !== undefined && mode !== "VIP" && mode !== "Proxy")
      findings.notSupported(mode, ["Proxy", "VIP"], at, "ipMode");
    const why = hostname === "" ? undefined : ingressHostname(hostname);
    if (why) findings.invalid(hostname, why, at, "hostname");
  }
}
