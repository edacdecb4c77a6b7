import { type Expression, groupLocation, type TemplateValue, type Value } from "../template/expression.ts";
import { idOf, type Resource } from "../template/template.ts";

export interface SecurityRule {
  readonly name: string;
  readonly priority: number;
  readonly access: "Allow" | "Deny";
  /** Source: an address range or a service tag. */
  readonly from: Value;
  readonly port: string;
  readonly protocol: "Tcp" | "*";
}

/** Returns a network security group with inbound rules. Azure's default outbound rules apply. */
export function networkSecurityGroup(name: string, rules: readonly SecurityRule[]): Resource {
  return {
    type: "Microsoft.Network/networkSecurityGroups",
    name: [name],
    location: groupLocation,
    properties: {
      securityRules: rules.map(({ name, priority, access, from, port, protocol }) => ({
        name,
        properties: {
          protocol,
          priority,
          access,
          direction: "Inbound",
          sourceAddressPrefix: from,
          sourcePortRange: "*",
          destinationAddressPrefix: "*",
          destinationPortRange: port,
        },
      })),
    },
  };
}

/**
 * Returns a security rule as a separate resource. Deployments then update this rule even if they do not write the group's other
 * rules.
 */
export function allowInbound(
  securityGroup: Resource,
  rule: {
    readonly name: string;
    readonly priority: number;
    readonly from: Expression;
    readonly ports: readonly string[];
  },
): Resource {
  return {
    type: `${securityGroup.type}/securityRules`,
    name: [...securityGroup.name, rule.name],
    dependsOn: [idOf(securityGroup)],
    properties: {
      protocol: "Tcp",
      priority: rule.priority,
      access: "Allow",
      direction: "Inbound",
      sourceAddressPrefixes: rule.from,
      sourcePortRange: "*",
      destinationAddressPrefix: "*",
      destinationPortRanges: rule.ports,
    },
  };
}

export interface Subnet {
  readonly name: string;
  readonly prefix: string;
  readonly securityGroup?: Resource;
  /** Service endpoints of the subnet. */
  readonly serviceEndpoints?: readonly string[];
  /** Service to which the subnet is delegated. */
  readonly delegatedTo?: string;
  readonly privateEndpoints?: true;
  readonly privateLinkServices?: true;
}

export function virtualNetwork(name: string, subnets: readonly Subnet[]): Resource {
  return {
    type: "Microsoft.Network/virtualNetworks",
    name: [name],
    location: groupLocation,
    dependsOn: subnets.flatMap(({ securityGroup }) => (securityGroup ? [idOf(securityGroup)] : [])),
    properties: {
      addressSpace: { addressPrefixes: subnets.map(({ prefix }) => prefix) },
      subnets: subnets.map((subnet) => ({ name: subnet.name, properties: subnetProperties(subnet) })),
    },
  };
}

function subnetProperties(subnet: Subnet): TemplateValue {
  const { prefix, securityGroup, serviceEndpoints = [], delegatedTo } = subnet;
  return {
    addressPrefix: prefix,
    ...(securityGroup ? { networkSecurityGroup: { id: idOf(securityGroup) } } : {}),
    ...(serviceEndpoints.length > 0
      ? { serviceEndpoints: serviceEndpoints.map((service) => ({ service, locations: ["*"] })) }
      : {}),
    ...(delegatedTo
      ? { delegations: [{ name: "delegation", properties: { serviceName: delegatedTo } }] }
      : {}),
    ...(subnet.privateEndpoints ? { privateEndpointNetworkPolicies: "Disabled" } : {}),
    ...(subnet.privateLinkServices ? { privateLinkServiceNetworkPolicies: "Disabled" } : {}),
  };
}

/** Network in the deployment's group, identified by its name. */
export interface NamedVnet {
  readonly name: string;
  readonly id: Expression;
}

/**
 * Returns the two peerings that connect two networks. The peerings are deployed in sequence, because a network accepts only one
 * change at a time.
 */
export function peeringPair(
  one: NamedVnet,
  other: NamedVnet,
  dependsOn: readonly Expression[] = [],
): readonly [Resource, Resource] {
  const there = peering(one, other, dependsOn);
  return [there, peering(other, one, [idOf(there)])];
}

function peering(from: NamedVnet, to: NamedVnet, dependsOn: readonly Expression[]): Resource {
  return {
    type: "Microsoft.Network/virtualNetworks/virtualNetworkPeerings",
    name: [from.name, `peering-${to.name}`],
    dependsOn,
    properties: {
      allowVirtualNetworkAccess: true,
      allowForwardedTraffic: true,
      allowGatewayTransit: false,
      useRemoteGateways: false,
      remoteVirtualNetwork: { id: to.id },
    },
  };
}

export function publicIPAddress(name: string): Resource {
  return {
    type: "Microsoft.Network/publicIPAddresses",
    name: [name],
    location: groupLocation,
    sku: { name: "Standard" },
    properties: { publicIPAllocationMethod: "Static" },
  };
}

export function dnsZone(name: Value): Resource {
  return { type: "Microsoft.Network/dnsZones", name: [name], location: "global", properties: {} };
}
