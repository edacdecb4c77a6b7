import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { test } from "node:test";
import { KubeConfig, KubernetesObjectApi } from "@kubernetes/client-node";
import { startApiServer } from "./start-api-server.ts";
import { startTestCluster } from "./start-test-cluster.ts";

test("the kubeconfig of startTestCluster is valid for an administrator", async () => {
  await using started = await startTestCluster();
  const config = new KubeConfig();
  config.loadFromString(started.kubeconfig);
  const key = Buffer.from(config.getCurrentUser()?.keyData ?? "", "base64");
  assert.equal(createPrivateKey(key).asymmetricKeyType, "rsa", "clients in Java read only RSA keys");
  const client = KubernetesObjectApi.makeApiClient(config);
  await client.create({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", namespace: "default" },
  });
  const configMaps = { group: "", version: "v1", resource: "configmaps" };
  const { metadata } = await started.client.get(configMaps, { name: "a", namespace: "default" });
  assert.equal(metadata.name, "a");
});

test("startTestCluster rejects an invalid cluster name and leaves no listener", async () => {
  await assert.rejects(startTestCluster({ name: "Not Valid" }), { code: "InvalidClusterName" });
});

test("startApiServer names its missing options", async () => {
  const options: Parameters<typeof startApiServer>[0] = JSON.parse('{"host":"localhost"}');
  await assert.rejects(startApiServer(options), {
    code: "OptionMissing",
    message: /missing options "port", "tls", "storage", "logger", "clock"/,
  });
});
