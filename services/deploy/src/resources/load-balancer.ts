import { groupLocation, type Value } from "../template/expression.ts";
import { idOf, type Resource } from "../template/template.ts";

interface Probe {
  readonly name: string;
  readonly port: number;
  /** Path that an HTTPS probe requests. Default: the probe only opens a TCP connection. */
  readonly https?: string;
  readonly http?: string;
}

interface BalancingRule {
  readonly name: string;
  readonly frontend: string;
  readonly port: number;
  readonly backendPort: number;
  readonly probe: string;
}

export interface LoadBalancer {
  readonly name: string;
  /** Frontends, each with a public address or a subnet address. */
  readonly frontends: readonly {
    readonly name: string;
    readonly publicIPAddress?: Resource;
    readonly subnetId?: Value;
  }[];
  readonly backend: string;
  readonly probes: readonly Probe[];
  readonly rules: readonly BalancingRule[];
}

export function loadBalancer({ name, frontends, backend, probes, rules }: LoadBalancer): Resource {
  const self: Resource = { type: "Microsoft.Network/loadBalancers", name: [name] };
  const part = (kind: string, of: string) => ({ id: idOf(self, kind, of) });
  return {
    ...self,
    location: groupLocation,
    sku: { name: "Standard" },
    dependsOn: frontends.flatMap((each) => (each.publicIPAddress ? [idOf(each.publicIPAddress)] : [])),
    properties: {
      frontendIPConfigurations: frontends.map(({ name, publicIPAddress, subnetId }) => ({
        name,
        properties: {
          ...(publicIPAddress ? { publicIPAddress: { id: idOf(publicIPAddress) } } : {}),
          ...(subnetId === undefined ? {} : { subnet: { id: subnetId } }),
        },
      })),
      backendAddressPools: [{ name: backend }],
      probes: probes.map(({ name, port, https, http }) => ({
        name,
        properties: {
          port,
          numberOfProbes: 2,
          intervalInSeconds: 5,
          ...(https || http
            ? { protocol: https ? "Https" : "Http", requestPath: https ?? http }
            : { protocol: "Tcp" }),
        },
      })),
      loadBalancingRules: rules.map(({ name, frontend, port, backendPort, probe }) => ({
        name,
        properties: {
          protocol: "Tcp",
          loadDistribution: "Default",
          frontendIPConfiguration: part("frontendIPConfigurations", frontend),
          backendAddressPool: part("backendAddressPools", backend),
          probe: part("probes", probe),
          frontendPort: port,
          backendPort,
        },
      })),
    },
  };
}
