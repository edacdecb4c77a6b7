import { failures, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt } from "@keelson/base";
import { familyOf, type IpFamily } from "../catalogue/addresses.ts";
import { Findings } from "../catalogue/findings.ts";
import { checkServiceAddresses } from "./service-addresses.ts";
import { isHeadless, needsClusterIp, sameMember } from "./service-needs.ts";

type Spec = Readonly<Record<string, unknown>>;

/** Address family of the service network. The network is single-stack. */
const configured: IpFamily = "IPv4";

/**
 * Sets the address families that a Service omits. Default: the families of its addresses, or the cluster's family if it has no
 * address. A headless Service without selector gets both families, unless its policy is SingleStack.
 * @throws StatusError 422
 * @see kubernetes/kubernetes pkg/registry/core/service/storage/alloc.go (initIPFamilyFields)
 */
export function withFamilies(name: string, spec: Spec, before: Spec | undefined): Spec {
  if (spec.type === "ExternalName" || keepsPreference(spec, before)) return spec;
  const policy =
    scalarStringAt(spec, "ipFamilyPolicy") || scalarStringAt(before, "ipFamilyPolicy") || usualPolicy(spec);
  const findings = new Findings();
  findings.enter("spec");
  checkServiceAddresses({ ...spec, ipFamilyPolicy: policy }, findings);
  refuse(name, findings.causes);
  const chosen = released({ ...spec, ipFamilyPolicy: policy }, before, findings);
  const inferred = [...stringsAt(chosen, "ipFamilies"), ...familiesOfAddresses(chosen, findings)];
  refuse(name, findings.causes);
  const isFree = isHeadless(chosen) && Object.keys(objectAt(chosen, "selector")).length === 0;
  if (!isFree) checkConfigured(policy, inferred, findings);
  refuse(name, findings.causes);
  const families = inferred.length > 0 ? inferred : [configured];
  const both = isFree && policy !== "SingleStack" && families.length === 1;
  const other = families[0] === "IPv4" ? "IPv6" : "IPv4";
  return { ...chosen, ipFamilies: both ? [...families, other] : families };
}

function refuse(name: string, causes: readonly StatusCause[]): void {
  if (causes.length > 0) throw failures.invalid({ group: "", kind: "Service" }, name, causes);
}

function usualPolicy(spec: Spec): string {
  const hasSelector = Object.keys(objectAt(spec, "selector")).length > 0;
  return spec.clusterIP === "None" && !hasSelector ? "RequireDualStack" : "SingleStack";
}

/**
 * True if an update changes neither the type nor the addresses nor the families of a Service, and its policy remains
 * PreferDualStack. The server then does not compute new families.
 */
function keepsPreference(spec: Spec, before: Spec | undefined): boolean {
  if (!before || spec.type !== before.type || !needsClusterIp(spec)) return false;
  if (spec.ipFamilyPolicy !== "PreferDualStack" || before.ipFamilyPolicy !== "PreferDualStack") return false;
  return sameMember(spec, before, "clusterIPs") && sameMember(spec, before, "ipFamilies");
}

/**
 * Removes the secondary address and family of a Service that becomes single-stack. Reports other fields that contradict the
 * policy.
 */
function released(spec: Spec, before: Spec | undefined, findings: Findings): Spec {
  const single = spec.ipFamilyPolicy === "SingleStack";
  const result: Record<string, unknown> = { ...spec };
  for (const [member, what, several] of [
    ["clusterIPs", "cluster IP", "cluster IPs"],
    ["ipFamilies", "IP family", "IP families"],
  ] as const) {
    const [now, was] = [listAt(spec, member), listAt(before, member)];
    const fewer = before !== undefined && now.length > 0 && now.length < was.length;
    if (!single && fewer)
      findings.invalid(
        spec.ipFamilyPolicy,
        `must be 'SingleStack' to release the secondary ${what}`,
        "ipFamilyPolicy",
      );
    if (!single || now.length < 2) continue;
    if (before && sameMember(spec, before, member)) result[member] = now.slice(0, 1);
    else
      findings.invalid(
        spec.ipFamilyPolicy,
        `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${several} are specified`,
        "ipFamilyPolicy",
      );
  }
  return result;
}

/** Returns the families of addresses that have no entry in `ipFamilies`. */
function familiesOfAddresses(spec: Spec, findings: Findings): readonly IpFamily[] {
  const named = listAt(spec, "ipFamilies").length;
  const result: IpFamily[] = [];
  for (const [at, address] of stringsAt(spec, "clusterIPs").entries()) {
    const family = address === "None" || at < named ? undefined : familyOf(address);
    if (family === configured) result.push(family);
    else if (family)
      findings.invalid(spec.clusterIPs, `${family} is not configured on this cluster`, "clusterIPs", at);
  }
  return result;
}

function checkConfigured(policy: string, families: readonly string[], findings: Findings): void {
  if (policy === "RequireDualStack")
    findings.invalid(policy, "this cluster is not configured for dual-stack services", "ipFamilyPolicy");
  for (const [at, family] of families.entries())
    if (family !== configured) findings.invalid(family, "not configured on this cluster", "ipFamilies", at);
}
