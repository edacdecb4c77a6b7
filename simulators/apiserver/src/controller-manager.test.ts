import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { KubeObject } from "@keelson/apimachinery";
import { createCertificateAuthority, issueCertificate, silentLogger, systemClock } from "@keelson/base";
import type { ApiServerOptions } from "./api-server.ts";
import { startApiServer } from "./start-api-server.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };
const namespaces = { group: "", version: "v1", resource: "namespaces" };
const pods = { group: "", version: "v1", resource: "pods" };
const serviceAccounts = { group: "", version: "v1", resource: "serviceaccounts" };
const inDefault = (name: string) => ({ namespace: "default", name });

/** Server with one cluster and an in-process client. */
async function cluster(options: Partial<ApiServerOptions>) {
  const authority = await createCertificateAuthority("test", 1);
  const tls = await issueCertificate(authority, { commonName: "localhost", usage: "server", validDays: 1 });
  const server = await startApiServer({
    host: "127.0.0.1",
    port: 0,
    tls,
    storage: { kind: "memory" },
    logger: silentLogger,
    clock: systemClock,
    ...options,
  });
  const { client } = await server.createCluster({ name: "c", clientCertificateAuthorities: [] });
  return { client, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

const pod: KubeObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: inDefault("pod"),
  spec: { containers: [{ name: "main", image: "example.com/app:1" }] },
};

test("without the controller manager, only kube-apiserver's own controllers run", async () => {
  await using bare = await cluster({
    controllerManager: false,
    disabledAdmissionPlugins: ["ServiceAccount"],
  });
  const { client } = bare;
  assert.equal(await client.find(serviceAccounts, inDefault("default")), undefined);
  assert.equal(await client.find(configMaps, inDefault("kube-root-ca.crt")), undefined);
  assert.equal((await client.create(pods, pod)).metadata.name, "pod");
  const owner = { apiVersion: "v1", kind: "ConfigMap", metadata: inDefault("owner") };
  const { uid = "" } = (await client.create(configMaps, owner)).metadata;
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid }];
  const owned = { ...owner, metadata: { ...inDefault("owned"), ownerReferences } };
  await client.create(configMaps, owned);
  await client.delete(configMaps, inDefault("owner"));
  await client.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: "going" } });
  await client.delete(namespaces, { name: "going" });
  // If the controllers ran, they would delete the objects within this time.
  await delay(100);
  assert.ok(await client.find(configMaps, inDefault("owned")));
  assert.ok((await client.get(namespaces, { name: "going" })).metadata.deletionTimestamp);
});

test("with the plugin enabled and no service account, a pod is rejected", async () => {
  await using bare = await cluster({ controllerManager: false });
  await assert.rejects(bare.client.create(pods, pod), /serviceaccount "default" not found/);
});
