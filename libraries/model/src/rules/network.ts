import { type Cidr, networkAddress, overlaps, parseCidr } from "@keelson/base";
import { type Examined, invalid, numberRule, type Rule, rule, textRule, type Violation } from "./rule.ts";

const network = "properties.networkProfile";
const loadBalancer = `${network}.loadBalancerProfile`;

/** Address ranges that OpenShift uses inside each cluster: join switch, metadata and transit addresses. */
const reserved: readonly Cidr[] = [
  { family: 4, address: "100.64.0.0", prefix: 16 },
  { family: 4, address: "169.254.169.0", prefix: 29 },
  { family: 4, address: "100.88.0.0", prefix: 16 },
];

export const networkRules: readonly Rule[] = [
  cidrRule("podCidr", "pod", 18, () => true),
  cidrRule("serviceCidr", "service", 22, () => true),
  textRule(`${network}.outboundType`, (type, target, { cluster }) => {
    if (type !== "UserDefinedRouting") return checkOutboundType(type, target);
    const { apiserverProfile, ingressProfiles } = cluster.properties;
    if (apiserverProfile.visibility === "Private" && ingressProfiles?.[0]?.visibility === "Private") return;
    return invalid(
      target,
      `The provided outboundType '${type}' is invalid: cannot use UserDefinedRouting if either API Server Visibility or Ingress Visibility is public.`,
    );
  }),
  rule(loadBalancer, function* ({ cluster }) {
    const { outboundType, loadBalancerProfile } = cluster.properties.networkProfile;
    if (outboundType !== "UserDefinedRouting" || !loadBalancerProfile) return;
    yield invalid(
      loadBalancer,
      "The provided loadBalancerProfile is invalid: cannot use a loadBalancerProfile if outboundType is UserDefinedRouting.",
    );
  }),
];

/**
 * Checks the setting for a customer's network security group. If the value is missing, the default applies. This rule rejects
 * unknown values, which the reference service treats as `Disabled`.
 */
export const preconfiguredNsgRule: Rule = textRule(`${network}.preconfiguredNSG`, (value, target) =>
  value === "" || value === "Enabled" || value === "Disabled"
    ? undefined
    : invalid(target, `The provided value '${value}' is invalid.`),
);

/** Checks the outbound type. If the value is missing, the default applies. */
export function checkOutboundType(type: string, target: string): Violation | undefined {
  if (type === "" || type === "Loadbalancer" || type === "UserDefinedRouting") return undefined;
  return invalid(
    target,
    `The provided outboundType '${type}' is invalid: must be UserDefinedRouting or Loadbalancer.`,
  );
}

/**
 * Network rules of the API version in which the customer chooses the network plug-in. The ranges in `reserved` are reserved only
 * with the plug-in OVN.
 */
export const networkRulesWithPlugIn: readonly Rule[] = [
  cidrRule("podCidr", "pod", 18, usesOvn),
  cidrRule("serviceCidr", "service", 22, usesOvn),
  // The value is missing in clusters that were created with a different API version.
  textRule(`${network}.softwareDefinedNetwork`, (name, _target, { creating }) =>
    name === "OVNKubernetes" || name === "OpenShiftSDN" || (name === "" && !creating)
      ? undefined
      : // The target uses the spelling that clients know (Azure/ARO-RP pkg/api/v20210901preview).
        invalid(
          `${network}.SoftwareDefinedNetwork`,
          `The provided SoftwareDefinedNetwork '${name}' is invalid.`,
        ),
  ),
];

function usesOvn({ cluster }: Examined): boolean {
  return cluster.properties.networkProfile.softwareDefinedNetwork === "OVNKubernetes";
}

export const loadBalancerRules: readonly Rule[] = [
  numberRule(`${loadBalancer}.managedOutboundIps.count`, (count, target, { architectureVersion }) => {
    const subject = `The provided managedOutboundIps.count ${count} is invalid`;
    if (architectureVersion === 0 && count > 1) {
      return invalid(
        target,
        `${subject}: managedOutboundIps.count must be 1, multiple IPs are not supported for this cluster's network architecture.`,
      );
    }
    if (count >= 1 && count <= 20) return undefined;
    return invalid(
      target,
      `${subject}: managedOutboundIps.count must be in the range of 1 to 20 (inclusive).`,
    );
  }),
  {
    field: `${loadBalancer}.effectiveOutboundIps`,
    when: "create",
    *check({ cluster }) {
      if (!cluster.properties.networkProfile.loadBalancerProfile?.effectiveOutboundIps) return;
      yield invalid(`${loadBalancer}.effectiveOutboundIps`, "The field effectiveOutboundIps is read only.");
    },
  },
];

export function hasIngress({ cluster }: Examined): boolean {
  return (cluster.properties.ingressProfiles ?? []).length > 0;
}

function cidrRule(
  member: "podCidr" | "serviceCidr",
  noun: string,
  longestPrefix: number,
  reserves: (examined: Examined) => boolean,
): Rule {
  return textRule(`${network}.${member}`, (text, target, examined): Violation | undefined => {
    const subject = `The provided ${noun} CIDR '${text}' is invalid`;
    const cidr = parseCidr(text);
    if (!cidr) return invalid(target, `${subject}: 'invalid CIDR address: ${text}'.`);
    if (cidr.family === 6) return invalid(target, `${subject}: must be IPv4.`);
    // Overlaps are rejected only at creation. Clusters with an overlap must still accept updates, so that they can migrate from
    // SDN to OVN.
    if (examined.creating && reserves(examined) && reserved.some((range) => overlaps(range, cidr))) {
      return {
        code: "InvalidCIDRRange",
        target: network,
        message: `Azure Red Hat OpenShift uses 100.64.0.0/16, 169.254.169.0/29, and 100.88.0.0/16 IP address ranges internally. Do not include this '${text}' IP address range in any other CIDR definitions in your cluster.`,
      };
    }
    if (cidr.prefix > longestPrefix) {
      return invalid(
        target,
        `The provided vnet CIDR '${text}' is invalid: must be /${longestPrefix} or larger.`,
      );
    }
    const first = networkAddress(cidr);
    if (first === cidr.address) return undefined;
    return {
      code: "InvalidNetworkAddress",
      target,
      message: `${subject}, expecting: '${first}/${cidr.prefix}'.`,
    };
  });
}
