import { isWireObject, type Wire } from "../fields/wire.ts";
import { invalid, type Rule, rule } from "./rule.ts";

const path = "properties.networkProfile.loadBalancerProfile";
const kinds = ["managedOutboundIps", "outboundIps", "outboundIpPrefixes"] as const;

/**
 * Rules for the three outbound properties of the load balancer profile in 2023-07-01-preview. A request must set exactly one of
 * them, and only `managedOutboundIps` is implemented.
 */
export const plannedOutboundRules: readonly Rule[] = [
  // The rule belongs to the field `outboundIps`, so it applies only in the API version that has this field.
  rule(`${path}.outboundIps`, function* ({ wire }) {
    const profile = profileOf(wire);
    if (!profile) return;
    const chosen = kinds.filter((kind) => profile[kind] !== undefined);
    const subject = "The provided loadBalancerProfile is invalid";
    if (chosen.length === 0) {
      yield invalid(
        path,
        `${subject}: must specify one of managedOutboundIps, outboundIps, or outboundIpPrefixes.`,
      );
    }
    if (chosen.length > 1) {
      yield invalid(
        path,
        `${subject}: can only use one of managedOutboundIps, outboundIps, or outboundIpPrefixes at a time.`,
      );
    }
  }),
  ...["outboundIps", "outboundIpPrefixes", "allocatedOutboundPorts"].map(notImplemented),
];

function notImplemented(name: string): Rule {
  return rule(`${path}.${name}`, function* ({ wire }) {
    if (profileOf(wire)?.[name] === undefined) return;
    yield invalid(
      `${path}.${name}`,
      `The field ${name} is not implemented at this time, please check back later.`,
    );
  });
}

function profileOf({ properties }: Wire): Wire | undefined {
  const network = isWireObject(properties) ? properties.networkProfile : undefined;
  const profile = isWireObject(network) ? network.loadBalancerProfile : undefined;
  return isWireObject(profile) ? profile : undefined;
}
