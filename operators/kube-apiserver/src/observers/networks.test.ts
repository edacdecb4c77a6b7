import assert from "node:assert/strict";
import { test } from "node:test";
import { stringify } from "yaml";
import { configObject, dataObject, observe } from "../testing/observe.ts";
import { observeExternalIpPolicy } from "./external-ip.ts";
import { observeInstallNetworks } from "./install-networks.ts";
import { observeNodePortRange } from "./node-port-range.ts";
import { observeRestrictedNetworks } from "./restricted-networks.ts";
import { observeServicesSubnet } from "./services-subnet.ts";

const network = (spec: object, status: object = {}) => configObject("Network", { spec, status });
const status = { clusterNetwork: [{ cidr: "10.128.0.0/14" }], serviceNetwork: ["172.30.0.0/16"] };
const restricted = (members: object) => ({
  admission: {
    pluginConfig: {
      "network.openshift.io/RestrictedEndpointsAdmission": {
        configuration: {
          apiVersion: "network.openshift.io/v1",
          kind: "RestrictedEndpointsAdmissionConfig",
          ...members,
        },
      },
    },
  },
});

test("acceptance 1: networks are restricted, those of pods first, and Services have theirs", () => {
  const inUse = [network({}, status)];
  const expected = restricted({ restrictedCIDRs: ["10.128.0.0/14", "172.30.0.0/16"] });
  assert.deepEqual(observe(observeRestrictedNetworks, inUse).config, expected);
  assert.deepEqual(observe(observeServicesSubnet, inUse).config, {
    servicesSubnet: "172.30.0.0/16",
    servingInfo: { bindAddress: "0.0.0.0:6443", bindNetwork: "tcp4" },
  });
});

test("acceptance 2: without a Network the previous networks are preserved", () => {
  const before = restricted({ restrictedCIDRs: ["10.128.0.0/14", "172.30.0.0/16"] });
  assert.deepEqual(observe(observeRestrictedNetworks, [], before).config, before);
  assert.deepEqual(observe(observeRestrictedNetworks, []).config, restricted({}));
  const subnet = { servicesSubnet: "172.30.0.0/16", servingInfo: { bindAddress: "a", bindNetwork: "b" } };
  assert.deepEqual(observe(observeServicesSubnet, [], subnet).config, subnet);
});

test("the IP families of Services determine the listen address", () => {
  for (const [serviceNetwork, bindAddress, bindNetwork] of [
    [["fd02::/112"], "[::]:6443", "tcp6"],
    [["172.30.0.0/16", "fd02::/112"], "[::]:6443", "tcp"],
  ] as const)
    assert.deepEqual(observe(observeServicesSubnet, [network({}, { ...status, serviceNetwork })]).config, {
      servicesSubnet: serviceNetwork.join(","),
      servingInfo: { bindAddress, bindNetwork },
    });
});

test("a Network without status keeps the observed values", () => {
  const before = restricted({ restrictedCIDRs: ["a"] });
  for (const [bad, message] of [
    [{}, "status.clusterNetwork not found"],
    [{ clusterNetwork: [{}] }, "status.clusterNetwork[0].cidr not found"],
    [{ clusterNetwork: [{ cidr: "x" }] }, "status.serviceNetwork not found"],
    [{ clusterNetwork: [{ cidr: "x" }], serviceNetwork: [{ a: 1 }] }, "status.serviceNetwork not found"],
  ] as const) {
    const observed = observe(observeRestrictedNetworks, [network({}, bad)], before);
    assert.deepEqual(observed.config, before);
    assert.deepEqual(observed.errors, [`networks.config.openshift.io/cluster: ${message}`]);
  }
});

const installConfig = (networking: object) =>
  dataObject("ConfigMap", "kube-system/cluster-config-v1", {
    data: { "install-config": stringify({ networking }) },
  });
const classic = {
  admissionPluginConfig: {
    "openshift.io/RestrictedEndpointsAdmission": {
      configuration: { restrictedCIDRs: ["10.2.0.0/16", "10.3.0.0/16"] },
    },
  },
};

test("the installer's configuration provides the networks if the Network does not exist", () => {
  const objects = [installConfig({ podCIDR: "10.2.0.0/16", serviceCIDR: "10.3.0.0/16" })];
  assert.deepEqual(observe(observeInstallNetworks, objects).config, classic);
  assert.equal(observe(observeServicesSubnet, objects).config.servicesSubnet, "10.3.0.0/16");
  assert.equal(
    observe(observeServicesSubnet, [...objects, network({}, status)]).config.servicesSubnet,
    "172.30.0.0/16",
  );
});

test("an installer's configuration of today has none of them", () => {
  const observed = observe(observeInstallNetworks, [installConfig({ clusterNetwork: [{ cidr: "x" }] })]);
  assert.deepEqual(observed, { config: {}, errors: [], copies: undefined, events: [] });
});

test("an incomplete installer configuration keeps the observed values", () => {
  for (const [object, message] of [
    [installConfig({ serviceCIDR: "x" }), "/networking/podCIDR not found"],
    [installConfig({ podCIDR: "x" }), "/networking/serviceCIDR not found"],
    [dataObject("ConfigMap", "kube-system/cluster-config-v1"), " not found"],
  ] as const) {
    const observed = observe(observeInstallNetworks, [object], classic);
    assert.deepEqual(observed.config, classic);
    assert.deepEqual(observed.errors, [`configmap/cluster-config-v1.kube-system: install-config${message}`]);
  }
});

const ranger = (members: object) => ({
  admission: {
    pluginConfig: {
      "network.openshift.io/ExternalIPRanger": {
        configuration: {
          apiVersion: "network.openshift.io/v1",
          kind: "ExternalIPRangerAdmissionConfig",
          ...members,
        },
      },
    },
  },
});

test("external addresses are denied unless a policy allows them", () => {
  for (const objects of [[], [network({})]])
    assert.deepEqual(observe(observeExternalIpPolicy, objects).config, ranger({ allowIngressIP: false }));
  const externalIP = {
    policy: { allowedCIDRs: ["10.0.0.0/8"], rejectedCIDRs: ["10.1.0.0/16"] },
    autoAssignCIDRs: ["10.0.1.0/24"],
  };
  assert.deepEqual(
    observe(observeExternalIpPolicy, [network({ externalIP })]).config,
    ranger({ allowIngressIP: true, externalIPNetworkCIDRs: ["!10.1.0.0/16", "10.0.0.0/8"] }),
  );
});

test("a policy with an invalid network keeps the previous policy", () => {
  const before = ranger({ allowIngressIP: true });
  for (const cidr of ["10.0.0.0/33", "10.0.0.0", "x/8", "fd00::/129"]) {
    const bad = network({ externalIP: { policy: { allowedCIDRs: [cidr] } } });
    const observed = observe(observeExternalIpPolicy, [bad], before);
    assert.deepEqual(observed.config, before, cidr);
    assert.match(observed.errors.join(), /allowedCIDRs: invalid CIDR address/);
  }
});

test("the node port range is that of the Network, or unset", () => {
  const range = (text: string) => ({ apiServerArguments: { "service-node-port-range": [text] } });
  const before = range("30000-32767");
  for (const text of ["30000-32767", "31000", "30000+100"])
    assert.deepEqual(
      observe(observeNodePortRange, [network({ serviceNodePortRange: text })]).config,
      range(text),
    );
  assert.deepEqual(observe(observeNodePortRange, [network({})], before).config, {});
  for (const text of ["a", "2-1", "1-70000", "-5"])
    assert.deepEqual(
      observe(observeNodePortRange, [network({ serviceNodePortRange: text })], before).config,
      before,
    );
});
