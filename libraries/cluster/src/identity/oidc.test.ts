import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { test } from "node:test";
import { isPlainObject, silentLogger } from "@keelson/base";
import type { OpenShiftCluster } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import type { ClusterContext } from "../context/context.ts";
import type { OidcIssuer } from "../context/environment.ts";
import { createOIDC, deleteOIDC } from "./oidc.ts";

/** Returns a context with a store for published documents. The test can make the store fail. */
function publisher() {
  const published = new Map<string, object>();
  const place = { broken: false };
  const oidcIssuer: OidcIssuer = {
    keyBits: 2_048,
    urlOf: (name) => `https://oidc.example/${name}`,
    async publish(name, documents) {
      for (const [path, document] of Object.entries(documents)) {
        if (place.broken) throw new Error("the document store failed");
        published.set(`${name}/${path}`, document);
      }
    },
    async remove(name, paths) {
      for (const path of paths) published.delete(`${name}/${path}`);
    },
  };
  let cluster: OpenShiftCluster = newCluster({ name: "demo" });
  const context = {
    documentId: "document",
    get cluster() {
      return cluster;
    },
    async update(change: (current: OpenShiftCluster) => OpenShiftCluster) {
      cluster = change(cluster);
      return cluster;
    },
    environment: { tenantIdOf: () => "tenant", managedIdentities: { oidcIssuer } },
    connection: { beforeRequest: () => {}, logger: silentLogger },
    signal: AbortSignal.timeout(900_000),
  } as unknown as ClusterContext;
  return { context, place, published };
}

test("the key is made once: a step that runs again publishes the one that is stored", async () => {
  const { context, place, published } = publisher();
  place.broken = true;
  await assert.rejects(createOIDC(context), /the document store failed/);
  const { boundServiceAccountSigningKey: key, oidcIssuer } = context.cluster.properties.clusterProfile;
  assert.ok(key, "stored before it was published");
  assert.equal(oidcIssuer, undefined);
  place.broken = false;
  await createOIDC(context);
  await createOIDC(context);
  const profile = context.cluster.properties.clusterProfile;
  assert.equal(profile.boundServiceAccountSigningKey?.reveal(), key.reveal());
  assert.equal(profile.oidcIssuer, "https://oidc.example/tenant/document");
  const keySet = published.get("tenant/document/openid/v1/jwks");
  assert.ok(isPlainObject(keySet) && Array.isArray(keySet.keys));
  const [jwk] = keySet.keys;
  const { n, e } = createPublicKey(key.reveal()).export({ format: "jwk" });
  assert.deepEqual([jwk.n, jwk.e, jwk.alg, jwk.use, jwk.d], [n, e, "RS256", "sig", undefined]);
});

test("what was published is taken back, as often as it takes", async () => {
  const { context, published } = publisher();
  await createOIDC(context);
  assert.equal(published.size, 2);
  await deleteOIDC(context);
  await deleteOIDC(context);
  assert.equal(published.size, 0);
});
