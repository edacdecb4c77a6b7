import assert from "node:assert/strict";
import { test } from "node:test";
import { isCoded } from "@keelson/base";
import { customDataOf, exampleClusterJson } from "../testing/example-cluster.ts";
import { kubernetesVersionOf, parseBootConfiguration, parseSettings } from "./cluster-settings.ts";

test("the bootstrap machine's custom data gives settings, credentials and manifests", () => {
  const boot = parseBootConfiguration(customDataOf(exampleClusterJson()), "demo-x7k2p");
  assert.equal(boot.settings.infraId, "demo-x7k2p");
  assert.equal(boot.settings.kubernetesVersion, "1.32.9");
  assert.equal(boot.servicePrincipal?.clientSecret.reveal(), "cluster-secret");
  assert.equal(JSON.stringify(boot.settings).includes("cluster-secret"), false);
  assert.deepEqual(
    boot.manifests.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    ["MachineSet/demo-x7k2p-worker-eastus1"],
  );
});

test("a cluster with managed identities brings the key of its tokens, and its issuer in a manifest", () => {
  const { servicePrincipal: _, ...json } = exampleClusterJson();
  const authentication = {
    apiVersion: "config.openshift.io/v1",
    kind: "Authentication",
    metadata: { name: "cluster" },
    spec: { serviceAccountIssuer: "https://issuer.example/demo" },
  };
  const custom = customDataOf({ ...json, manifests: [authentication] }, { [keyPath]: "the key" });
  const boot = parseBootConfiguration(custom, "demo-x7k2p");
  assert.equal(boot.servicePrincipal, undefined);
  assert.equal(boot.serviceAccounts?.issuer, "https://issuer.example/demo");
  assert.equal(boot.serviceAccounts?.signingKey.reveal(), "the key");
});

test("settings survive being stored", () => {
  const { settings } = parseBootConfiguration(customDataOf(exampleClusterJson()), "demo-x7k2p");
  assert.deepEqual(parseSettings(JSON.parse(JSON.stringify(settings))), settings);
});

const keyPath = "/opt/openshift/tls/bound-service-account-signing-key.key";

const bad: readonly {
  readonly name: string;
  readonly customData: string | undefined;
  readonly says: RegExp;
}[] = [
  { name: "no custom data", customData: undefined, says: /holds no \/opt\/openshift\/cluster\.json/ },
  { name: "no JSON", customData: Buffer.from("#!/bin/sh").toString("base64"), says: /cannot start/ },
  {
    name: "an ignition without the file",
    customData: Buffer.from('{"ignition":{"version":"3.2.0"}}').toString("base64"),
    says: /holds no \/opt\/openshift\/cluster\.json/,
  },
  {
    name: "another protocol version",
    customData: customDataOf({ ...exampleClusterJson(), version: 2 }),
    says: /version must be 1/,
  },
  {
    name: "no domain",
    customData: customDataOf({ ...exampleClusterJson(), domain: "" }),
    says: /domain must be a text/,
  },
  {
    name: "another cluster's configuration",
    customData: customDataOf({ ...exampleClusterJson(), infraId: "other-aaaaa" }),
    says: /the machine's tag says demo-x7k2p/,
  },
  {
    name: "a key of tokens without an issuer",
    customData: customDataOf(exampleClusterJson(), { [keyPath]: "the key" }),
    says: /needs an Authentication with spec\.serviceAccountIssuer/,
  },
  {
    name: "a manifest without a name",
    customData: customDataOf({
      ...exampleClusterJson(),
      manifests: [{ kind: "Secret", apiVersion: "v1", metadata: {} }],
    }),
    says: /manifests\[0\]\.metadata\.name/,
  },
];

for (const { name, customData, says } of bad)
  test(`a bootstrap machine with ${name} is refused with the reason`, () => {
    assert.throws(
      () => parseBootConfiguration(customData, "demo-x7k2p"),
      (error) => isCoded(error, "InvalidBootConfiguration") && says.test(error.message),
    );
  });

for (const [openShift, kubernetes] of [
  ["4.19.24", "1.32.9"],
  ["4.14.3", "1.27.9"],
  ["5.0.1", "1.36.9"],
] as const)
  test(`OpenShift ${openShift} carries Kubernetes ${kubernetes}`, () => {
    assert.equal(kubernetesVersionOf(openShift), kubernetes);
  });
