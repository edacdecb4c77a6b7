import { parsePullSecret } from "../cluster/pull-secret.ts";
import { isInSubscription, resourceGroupPattern } from "./resource-id-pattern.ts";
import { type Examined, enumeration, invalid, type Rule, textRule } from "./rule.ts";
import { isUrlReference } from "./url-reference.ts";

const label = "([a-z0-9]|[a-z0-9][-a-z0-9]{0,61}[a-z0-9])";
/** Domain of a new cluster. The first label starts with a letter and has at least two characters. */
const newDomain = new RegExp(String.raw`^[a-z][-a-z0-9]{0,61}[a-z0-9](\.${label})*$`);
/**
 * Domain of an existing cluster. The domain may start with a digit, because clusters with such a domain must still accept
 * updates.
 */
const anyDomain = new RegExp(String.raw`^${label}(\.${label})*$`);

export const clusterProfileRules: readonly Rule[] = [
  enumeration(
    "properties.provisioningState",
    (state) => `The provided provisioning state '${state}' is invalid.`,
  ),
  textRule("properties.clusterProfile.pullSecret", (value, target) =>
    parsePullSecret(value) ? undefined : invalid(target, "The provided pull secret is invalid."),
  ),
  textRule("properties.clusterProfile.domain", (domain, target, examined) =>
    isDomain(domain, examined) ? undefined : invalid(target, `The provided domain '${domain}' is invalid.`),
  ),
  textRule("properties.clusterProfile.resourceGroupId", (id, target, examined) => {
    const subject = `The provided resource group '${id}' is invalid`;
    if (!resourceGroupPattern.test(id)) return invalid(target, `${subject}.`);
    if (!isInSubscription(id, examined.subscriptionId)) {
      return invalid(target, `${subject}: must be in same subscription as cluster.`);
    }
    const own = `/subscriptions/${examined.subscriptionId}/resourceGroups/${examined.resourceGroup}`;
    if (id.toLowerCase() !== own.toLowerCase()) return undefined;
    return invalid(
      target,
      `${subject}: must be different from resourceGroup of the OpenShift cluster object.`,
    );
  }),
  enumeration(
    "properties.clusterProfile.fipsValidatedModules",
    (value) => `The provided value '${value}' is invalid.`,
  ),
  textRule("properties.consoleProfile.url", (url, target) =>
    isUrlReference(url) ? undefined : invalid(target, `The provided console URL '${url}' is invalid.`),
  ),
];

/**
 * True for a valid domain. The service assigns the names below its own domains. A name below this region's domain must therefore
 * have exactly one label, and names below the domains of other regions are rejected.
 */
function isDomain(domain: string, { creating, domain: ownDomain }: Examined): boolean {
  if (!(creating ? newDomain : anyDomain).test(domain)) return false;
  if (domain.endsWith(`.${ownDomain}`)) return !domain.slice(0, -ownDomain.length - 1).includes(".");
  const dot = ownDomain.indexOf(".");
  return dot < 0 || !domain.endsWith(ownDomain.slice(dot));
}
