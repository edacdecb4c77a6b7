import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, stringsAt } from "@keelson/base";
import { familyOf, ipAddress } from "../catalogue/addresses.ts";
import type { Findings } from "../catalogue/findings.ts";

const families = ["IPv4", "IPv6"];
const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];

/**
 * Validates that the addresses of a Service match its families. Services of type ExternalName have no addresses.
 * @see kubernetes/kubernetes pkg/apis/core/validation/validation.go (ValidateServiceClusterIPsRelatedFields)
 */
export function checkServiceAddresses(spec: unknown, findings: Findings): void {
  if (scalarStringAt(spec, "type") === "ExternalName") return;
  const [first, addresses, named] = [
    scalarStringAt(spec, "clusterIP"),
    stringsAt(spec, "clusterIPs"),
    stringsAt(spec, "ipFamilies"),
  ];
  if (first === "" && addresses.length > 0)
    findings.invalid(addresses, "must be empty when `clusterIP` is not specified", "clusterIPs");
  if (first !== "" && addresses.length === 0) findings.required("", "clusterIPs");
  else if (first !== "" && first !== addresses[0])
    findings.invalid(addresses, "first value must match `clusterIP`", "clusterIPs");
  for (const [at, family] of named.entries()) {
    if (!families.includes(family)) findings.notSupported(family, families, "ipFamilies", at);
    if (named.indexOf(family) < at) findings.duplicate(family, "ipFamilies", at);
  }
  const policy = scalarStringAt(spec, "ipFamilyPolicy");
  if (policy !== "" && !policies.includes(policy)) findings.notSupported(policy, policies, "ipFamilyPolicy");
  if (!checkEach(addresses, findings) || addresses[0] === "None") return;
  if (addresses.length === 2 && familyOf(addresses[0] ?? "") === familyOf(addresses[1] ?? ""))
    findings.invalid(addresses, "may specify no more than one IP for each IP family", "clusterIPs");
  for (const [at, address] of addresses.entries()) {
    const family = named[at];
    if (family === undefined || !families.includes(family) || familyOf(address) === family) continue;
    const why = `expected an ${family} value as indicated by \`ipFamilies[${at}]\``;
    findings.invalid(address, why, "clusterIPs", at);
  }
}

/** True if all entries are IP addresses, or if `None` is the only entry. */
function checkEach(addresses: readonly string[], findings: Findings): boolean {
  let good = true;
  for (const [at, address] of addresses.entries()) {
    if (at === 0 && address === "None") {
      if (addresses.length === 1) continue;
      findings.invalid(addresses, "'None' must be the first and only value", "clusterIPs");
      good = false;
      continue;
    }
    const why = ipAddress(address);
    if (!why) continue;
    findings.invalid(address, why, "clusterIPs", at);
    good = false;
  }
  if (addresses.length > 2) findings.invalid(addresses, "may only hold up to 2 values", "clusterIPs");
  return good;
}

/**
 * Validates an update of a Service's addresses.
 * @see kubernetes/kubernetes pkg/apis/core/validation/validation.go (validateUpgradeDowngradeClusterIPs,
 * ...IPFamilies)
 */
export function checkAddressChange(spec: unknown, before: unknown, findings: Findings): void {
  if ([spec, before].some((each) => scalarStringAt(each, "type") === "ExternalName")) return;
  const [isHeadless, wasHeadless] = [spec, before].map((each) => listAt(each, "clusterIPs")[0] === "None");
  if (isHeadless && wasHeadless) return;
  checkFirst(spec, before, "clusterIPs", "primary clusterIP can not be unset", findings);
  if (isHeadless === wasHeadless)
    checkFirst(spec, before, "ipFamilies", "primary ipFamily can not be unset", findings);
}

function checkFirst(
  spec: unknown,
  before: unknown,
  member: string,
  whyUnset: string,
  findings: Findings,
): void {
  const [now, was] = [listAt(spec, member), listAt(before, member)];
  if (was.length === 0) return;
  if (now.length === 0) findings.invalid(now, whyUnset, "spec", member, 0);
  const kept = was.length === now.length ? was.length : 1;
  for (let at = 0; at < kept && now.length > 0; at++) {
    if (now[at] === was[at]) continue;
    findings.invalid(now, "may not change once set", "spec", member, at);
  }
}
