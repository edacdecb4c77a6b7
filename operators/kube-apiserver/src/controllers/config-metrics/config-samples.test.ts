import assert from "node:assert/strict";
import { test } from "node:test";
import { configObject } from "../../testing/observe.ts";
import { configSamples } from "./config-samples.ts";

/** Formats each sample as `name{labels} value`. */
function texts(objects: Partial<Parameters<typeof configSamples>[0]>): readonly string[] {
  const none = { infrastructure: undefined, featureGate: undefined, proxy: undefined };
  return configSamples({ ...none, ...objects }).map(
    ({ name, labels, value }) => `${name} ${Object.values(labels).join("/")} ${value}`,
  );
}

const platform = (platformStatus: object, spec: object = {}) =>
  texts({ infrastructure: configObject("Infrastructure", { spec, status: { platformStatus } }) })[0];

test("missing settings have no samples", () => assert.deepEqual(texts({}), []));

for (const [name, found, expected] of [
  ["Azure has no region", platform({ type: "Azure", azure: {} }), "Azure// 1"],
  ["AWS has one", platform({ type: "AWS", aws: { region: "r" } }), "AWS/r/ 1"],
  ["none is 0", platform({ type: "None" }), "None// 0"],
  [
    "an external one has a name",
    platform({ type: "External" }, { platformSpec: { external: { platformName: "p" } } }),
    "External//p 1",
  ],
] as const)
  test(`of platforms, ${name}`, () => assert.equal(found, `cluster_infrastructure_provider ${expected}`));

test("topologies, feature sets and proxies are reported", () => {
  assert.deepEqual(
    texts({
      infrastructure: configObject("Infrastructure", {
        status: { controlPlaneTopology: "HighlyAvailable", infrastructureTopology: "SingleReplica" },
      }),
      featureGate: configObject("FeatureGate", { spec: { featureSet: "TechPreviewNoUpgrade" } }),
      proxy: configObject("Proxy", { spec: { httpProxy: "http://p", trustedCA: { name: "" } } }),
    }),
    [
      "cluster_controlplane_topology HighlyAvailable 1",
      "cluster_infrastructure_topology SingleReplica 1",
      "cluster_feature_set TechPreviewNoUpgrade 0",
      "cluster_proxy_enabled http 1",
      "cluster_proxy_enabled https 0",
      "cluster_proxy_enabled trusted_ca 0",
    ],
  );
});
