import assert from "node:assert/strict";
import { test } from "node:test";
import { isCoded, Secret } from "@keelson/base";
import { newCluster } from "@keelson/model/testing";
import { clusterPullSecret, hasOwnPullSecret } from "./pull-secret.ts";

function clusterWith(pullSecret: string | undefined) {
  const cluster = newCluster({ name: "demo" });
  const clusterProfile = {
    ...cluster.properties.clusterProfile,
    ...(pullSecret === undefined ? {} : { pullSecret: new Secret(pullSecret) }),
  };
  return { ...cluster, properties: { ...cluster.properties, clusterProfile } };
}
const auths = (registries: Readonly<Record<string, string>>) =>
  JSON.stringify({
    auths: Object.fromEntries(Object.entries(registries).map(([name, auth]) => [name, { auth }])),
  });

test("the service's registries go before the customer's, and telemetry goes", () => {
  const cluster = clusterWith(
    auths({ "registry.redhat.io": "a", "shared.example": "b", "cloud.openshift.com": "c" }),
  );
  const merged = clusterPullSecret(cluster, new Secret(auths({ "shared.example": "d" })));
  assert.equal(merged.reveal(), auths({ "registry.redhat.io": "a", "shared.example": "d" }));
});

test("the cluster's own token for a registry goes before all others, once it is made", () => {
  const cluster = clusterWith(auths({ "shared.example": "a" }));
  const ofService = new Secret(auths({ "shared.example": "b", "other.example": "c" }));
  const registryProfiles = [
    { name: "shared.example", username: "token", password: new Secret("password") },
    { name: "other.example", username: "token" },
  ];
  const properties = { ...cluster.properties, registryProfiles };
  const merged = clusterPullSecret({ ...cluster, properties }, ofService);
  const token = Buffer.from("token:password").toString("base64");
  assert.equal(merged.reveal(), auths({ "shared.example": token, "other.example": "c" }));
});

test("nothing to pull with is refused, and so is what cannot be read, which is not quoted", () => {
  for (const own of [undefined, "", auths({ "cloud.openshift.com": "c" }), '{"auths":{"x":'])
    assert.throws(
      () => clusterPullSecret(clusterWith(own), undefined),
      (error) => isCoded(error, "PullSecretMissing") && !error.message.includes("auths"),
    );
});

test("samples need a pull secret of the customer's own", () => {
  assert.equal(hasOwnPullSecret(clusterWith(undefined)), false);
  assert.equal(hasOwnPullSecret(clusterWith("")), false);
  assert.equal(hasOwnPullSecret(clusterWith(auths({ r: "a" }))), true);
});
