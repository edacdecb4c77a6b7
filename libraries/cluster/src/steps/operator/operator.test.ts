import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, valueAt } from "@keelson/kube";
import { type ClusterProperties, withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { type OperatorOptions, operatorManifests } from "./operator-manifests.ts";
import { isRolledOut } from "./operator-readiness.ts";

/** As an apps/v1 Deployment is served: zeros are absent from its status. */
const deployment = (spec: object, status: object) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "aro-operator-master", generation: 3 },
  spec,
  status: { observedGeneration: 3, ...status },
});
const two = { replicas: 2, updatedReplicas: 2, availableReplicas: 2 };

const cases = [
  { name: "no Deployment", found: undefined, ready: false },
  { name: "all replicas available", found: deployment({ replicas: 2 }, two), ready: true },
  {
    name: "one unavailable",
    found: deployment({ replicas: 2 }, { ...two, availableReplicas: 1 }),
    ready: false,
  },
  { name: "an old replica left", found: deployment({ replicas: 2 }, { ...two, replicas: 3 }), ready: false },
  {
    name: "a status of an earlier generation",
    found: deployment({ replicas: 2 }, { ...two, observedGeneration: 2 }),
    ready: false,
  },
  { name: "scaled to zero", found: deployment({ replicas: 0 }, {}), ready: true },
  {
    name: "scaled to zero, one still there",
    found: deployment({ replicas: 0 }, { replicas: 1 }),
    ready: false,
  },
  { name: "none available yet", found: deployment({ replicas: 1 }, { replicas: 1 }), ready: false },
  {
    name: "the default of one replica",
    found: deployment({}, { replicas: 1, updatedReplicas: 1, availableReplicas: 1 }),
    ready: true,
  },
];
for (const { name, found, ready } of cases) {
  test(`a Deployment is ${ready ? "" : "not "}rolled out: ${name}`, () => {
    assert.equal(isRolledOut(found), ready);
  });
}

const network = { privateEndpointSubnetId: "/endpoints", serviceSubnetId: "/service" };

const manifestsOfNewCluster = (
  properties: Partial<ClusterProperties> = {},
  more: Partial<OperatorOptions> = {},
) =>
  operatorManifests(withProperties(newCluster({ name: "demo" }), { infraId: "demo-x1x2x", ...properties }), {
    image: "arosvc.example/aro:1",
    domain: "demo.example",
    armEndpoint: "https://arm.example",
    loginEndpoint: "https://login.example",
    network,
    ...more,
  });

test("the kinds that the operator watches are there before it runs", () => {
  const definitions = manifestsOfNewCluster().filter(
    ({ object }) => object.kind === "CustomResourceDefinition",
  );
  assert.deepEqual(
    definitions.map(({ object }) => object.metadata.name),
    ["clusters.aro.openshift.io", "previewfeatures.preview.aro.openshift.io"],
  );
});

test("the operator has a pull secret to repair from, of a cluster without registries too", () => {
  const secret = manifestsOfNewCluster().find(
    ({ object }) => object.kind === "Secret" && object.metadata.name === "cluster",
  );
  assert.equal(valueAt(secret?.object, "stringData", ".dockerconfigjson"), '{"auths":{}}');
});

test("the operator's pods ask for no more than Pod Security's restricted level allows", () => {
  const containers = manifestsOfNewCluster()
    .filter(({ object }) => object.kind === "Deployment")
    .flatMap(({ object }) => listAt(object, "spec", "template", "spec", "containers"));
  assert.equal(containers.length, 2);
  for (const container of containers)
    assert.deepEqual(valueAt(container, "securityContext"), {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
});

test("the Cluster names the service's registry and subnets, and the address of the default ingress", () => {
  const gateway = {
    subnetId: "/gateway",
    resourceGroup: "gateway",
    privateLinkServiceName: "gateway",
    privateLinkServiceId: "/links/gateway",
  };
  const spec = (properties: Partial<ClusterProperties>, more: Partial<OperatorOptions> = {}) =>
    valueAt(manifestsOfNewCluster(properties, more).at(-1)?.object, "spec");
  const ingressProfiles = [
    { name: "apart", visibility: "Public", ip: "192.0.2.1" },
    { name: "default", visibility: "Public", ip: "192.0.2.2" },
  ] as const;
  const connected = spec(
    { ingressProfiles, featureProfile: { gatewayEnabled: true } },
    { network: { ...network, gateway }, registryDomain: "images.example" },
  );
  assert.equal(valueAt(connected, "acrDomain"), "images.example");
  assert.equal(valueAt(connected, "ingressIP"), "192.0.2.2");
  assert.deepEqual(valueAt(connected, "serviceSubnets"), ["/endpoints", "/service", "/gateway"]);
  assert.deepEqual(valueAt(connected, "internetChecker", "urls"), [
    "https://images.example/",
    "https://arm.example",
    "https://login.example",
  ]);
  const plain = spec({}, { network: { ...network, gateway } });
  assert.equal(valueAt(plain, "acrDomain"), undefined);
  assert.deepEqual(valueAt(plain, "serviceSubnets"), ["/endpoints", "/service"]);
});
