import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@keelson/base";
import { apiVersions } from "../api-versions/api-versions.ts";
import { errorOf, merged, onlyLater, type RuleRow, testRules } from "../testing/rule-table.ts";
import { installedCluster, testRequest, validBody, versionNamed } from "../testing/test-cluster.ts";
import { applyClusterRequest } from "../validation/put-or-patch-request.ts";

const network = "properties.networkProfile";
const count = `${network}.loadBalancerProfile.managedOutboundIps.count`;

function cidrRows(member: "podCidr" | "serviceCidr", noun: string, limit: number): RuleRow[] {
  const row = (title: string, cidr: string, message: string) => ({
    title: `${title} (${member})`,
    wrong: { properties: { networkProfile: { [member]: cidr } } },
    target: `${network}.${member}`,
    message,
  });
  const subject = (cidr: string) => `The provided ${noun} CIDR '${cidr}' is invalid`;
  const range = (title: string, cidr: string): RuleRow => ({
    ...row(
      `a CIDR that ${title}`,
      cidr,
      `Azure Red Hat OpenShift uses 100.64.0.0/16, 169.254.169.0/29, and 100.88.0.0/16 IP address ranges internally. Do not include this '${cidr}' IP address range in any other CIDR definitions in your cluster.`,
    ),
    code: "InvalidCIDRRange",
    target: network,
    when: "create",
  });
  return [
    row("no CIDR", "network", `${subject("network")}: 'invalid CIDR address: network'.`),
    row("an empty CIDR", "", `${subject("")}: 'invalid CIDR address: '.`),
    row(
      "a CIDR with a long prefix",
      "10.0.0.0/33",
      `${subject("10.0.0.0/33")}: 'invalid CIDR address: 10.0.0.0/33'.`,
    ),
    row("a CIDR of IPv6", "fd00::/16", `${subject("fd00::/16")}: must be IPv4.`),
    range("is the join network", "100.64.0.0/16"),
    range("contains the metadata service", "169.254.0.0/16"),
    range("is in the transit network", "100.88.0.0/17"),
    range("contains everything", "0.0.0.0/0"),
    row(
      "a small CIDR",
      `10.0.0.0/${limit + 1}`,
      `The provided vnet CIDR '10.0.0.0/${limit + 1}' is invalid: must be /${limit} or larger.`,
    ),
    {
      ...row("a CIDR with host bits", "10.1.2.3/14", `${subject("10.1.2.3/14")}, expecting: '10.0.0.0/14'.`),
      code: "InvalidNetworkAddress",
    },
  ];
}

testRules([
  ...cidrRows("podCidr", "pod", 18),
  ...cidrRows("serviceCidr", "service", 22),
  {
    title: "an unknown outbound type",
    wrong: { properties: { networkProfile: { outboundType: "Tunnel" } } },
    target: `${network}.outboundType`,
    message: "The provided outboundType 'Tunnel' is invalid: must be UserDefinedRouting or Loadbalancer.",
    ...onlyLater,
  },
  {
    title: "user-defined routing of a public cluster",
    wrong: { properties: { networkProfile: { outboundType: "UserDefinedRouting" } } },
    target: `${network}.outboundType`,
    message:
      "The provided outboundType 'UserDefinedRouting' is invalid: cannot use UserDefinedRouting if either API Server Visibility or Ingress Visibility is public.",
    ...onlyLater,
  },
  {
    title: "user-defined routing with a load balancer",
    wrong: {
      properties: {
        networkProfile: {
          outboundType: "UserDefinedRouting",
          loadBalancerProfile: { managedOutboundIps: { count: 1 } },
        },
        apiserverProfile: { visibility: "Private" },
        ingressProfiles: [{ visibility: "Private" }],
      },
    },
    target: `${network}.loadBalancerProfile`,
    message:
      "The provided loadBalancerProfile is invalid: cannot use a loadBalancerProfile if outboundType is UserDefinedRouting.",
    ...onlyLater,
  },
  ...[-1, 0, 21].map((managed) => ({
    title: `${managed} managed outbound addresses`,
    wrong: {
      properties: {
        networkProfile: { loadBalancerProfile: { managedOutboundIps: { count: managed } } },
      },
    },
    target: count,
    message: `The provided managedOutboundIps.count ${managed} is invalid: managedOutboundIps.count must be in the range of 1 to 20 (inclusive).`,
    ...onlyLater,
  })),
  {
    title: "outbound addresses of the client's own",
    wrong: {
      properties: {
        networkProfile: {
          loadBalancerProfile: { managedOutboundIps: { count: 1 }, effectiveOutboundIps: [] },
        },
      },
    },
    target: `${network}.loadBalancerProfile.effectiveOutboundIps`,
    message: "The field effectiveOutboundIps is read only.",
    when: "create",
    ...onlyLater,
  },
]);

const planned = `${network}.loadBalancerProfile`;
const outbound = (profile: JsonObject) => ({
  properties: { networkProfile: { loadBalancerProfile: profile } },
});
const notYet = (name: string) => ({
  target: `${planned}.${name}`,
  message: `The field ${name} is not implemented at this time, please check back later.`,
});

testRules([
  {
    title: "another plug-in",
    wrong: { properties: { networkProfile: { softwareDefinedNetwork: "Calico" } } },
    target: `${network}.SoftwareDefinedNetwork`,
    message: "The provided SoftwareDefinedNetwork 'Calico' is invalid.",
  },
  {
    title: "a load balancer without outbound addresses",
    wrong: outbound({ outboundIps: undefined }),
    versions: ["2023-07-01-preview"],
    onlyCreationSays: true,
    target: planned,
    message:
      "The provided loadBalancerProfile is invalid: must specify one of managedOutboundIps, outboundIps, or outboundIpPrefixes.",
  },
  {
    title: "two kinds of outbound addresses",
    wrong: outbound({ managedOutboundIps: { count: 1 }, outboundIps: [{ id: "x" }] }),
    target: planned,
    message:
      "The provided loadBalancerProfile is invalid: can only use one of managedOutboundIps, outboundIps, or outboundIpPrefixes at a time.",
  },
  {
    title: "a network security group in a different case",
    wrong: { properties: { networkProfile: { preconfiguredNSG: "enabled" } } },
    target: "properties.networkProfile.preconfiguredNSG",
    message: "The provided value 'enabled' is invalid.",
    when: "create",
  },
  {
    title: "customer addresses",
    wrong: outbound({ outboundIps: [{ id: "x" }] }),
    onlyCreationSays: true,
    ...notYet("outboundIps"),
  },
  {
    title: "customer prefixes",
    wrong: outbound({ outboundIpPrefixes: [{ id: "x" }] }),
    onlyCreationSays: true,
    ...notYet("outboundIpPrefixes"),
  },
  {
    title: "ports allotted",
    wrong: outbound({ managedOutboundIps: { count: 1 }, allocatedOutboundPorts: 1 }),
    ...notYet("allocatedOutboundPorts"),
  },
]);

test("SDN keeps no address ranges for itself", () => {
  const version = versionNamed("2021-09-01-preview");
  const networkProfile = { softwareDefinedNetwork: "OpenShiftSDN", podCidr: "100.64.0.0/14" };
  const body = merged(validBody(version), { properties: { networkProfile } });
  assert.equal(
    applyClusterRequest(testRequest({ version, body })).properties.networkProfile.softwareDefinedNetwork,
    "OpenShiftSDN",
  );
});

test("an old architecture has one managed outbound address", () => {
  const version = versionNamed("2025-07-25");
  const cluster = installedCluster(version);
  const current = { ...cluster, properties: { ...cluster.properties, architectureVersion: 0 } };
  const body = {
    properties: { networkProfile: { loadBalancerProfile: { managedOutboundIps: { count: 2 } } } },
  };
  const { target, message } = errorOf(testRequest({ version, method: "PATCH", current, body })).body;
  assert.equal(target, count);
  assert.equal(
    message,
    "The provided managedOutboundIps.count 2 is invalid: managedOutboundIps.count must be 1, multiple IPs are not supported for this cluster's network architecture.",
  );
});

test("a cluster with networks that overlap the reserved ones can still be changed", () => {
  for (const version of apiVersions) {
    const cluster = installedCluster(version);
    const networkProfile = { ...cluster.properties.networkProfile, podCidr: "100.64.0.0/16" };
    const current = { ...cluster, properties: { ...cluster.properties, networkProfile } };
    assert.doesNotThrow(() =>
      applyClusterRequest(testRequest({ version, method: "PATCH", current, body: {} })),
    );
  }
});

test("without ingress profile the newest version reports that before it validates the network", () => {
  const version = versionNamed("2025-07-25");
  const body = merged(validBody(version), {
    properties: { networkProfile: { podCidr: "x" }, ingressProfiles: [] },
  });
  assert.equal(errorOf(testRequest({ version, body })).body.target, "properties.ingressProfiles");
});
