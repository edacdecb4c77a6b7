import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { adminKubeconfig, startControlPlane } from "@keelson/apiserver/testing";
import { stringAt } from "@keelson/base";
import { connectKube, resources } from "@keelson/kube";
import { writeEncryptionConfig } from "../encryption/encryption-config.ts";
import { type EncryptionKey, emptyKey } from "../encryption/encryption-key.ts";
import { kmsEndpoint, newKmsKey } from "../encryption/kms-key.ts";
import { startKmsPlugin } from "../testing/kms-plugin.ts";

const assets = process.env.KUBEBUILDER_ASSETS;
const root = mkdtempSync(join(tmpdir(), "kms-"));
after(() => rmSync(root, { recursive: true, force: true }));

test("a real API server takes the configuration, and encrypts by the plugin that tests are with", {
  skip: assets === undefined,
}, async () => {
  assert.ok(assets);
  const socket = join(root, "kms-1.sock");
  await using plugin = await startKmsPlugin(socket, {
    annotations: { "version.example": new Uint8Array([1]) },
  });
  const key: EncryptionKey = {
    id: 1,
    secret: emptyKey,
    mode: "KMS",
    isBacked: true,
    internalReason: "",
    externalReason: "",
    migrated: { at: undefined, resources: [] },
    kms: newKmsKey(1, { type: "Vault" }, { secrets: {}, configMaps: {} }),
  };
  const keys = { writeKey: key, readKeys: [key] };
  const written = writeEncryptionConfig(new Map(["secrets", "configmaps"].map((each) => [each, keys])));
  const encryptionConfig = join(root, "encryption-config");
  // The test's socket is in a temporary directory.
  writeFileSync(encryptionConfig, written.replaceAll(kmsEndpoint(1), `unix://${socket}`));

  await using plane = await startControlPlane(assets, { encryptionConfig });
  await using api = connectKube({
    kubeconfig: adminKubeconfig(plane.url, plane.authority, plane.admin),
    userAgent: "test/1",
    fieldManager: "test",
  });
  const signal = AbortSignal.timeout(900_000);
  const metadata = { namespace: "default", name: "kept" };
  await api.create(
    resources.secrets,
    { apiVersion: "v1", kind: "Secret", metadata, data: { password: "c2VjcmV0" } },
    signal,
  );
  await api.create(
    resources.configMaps,
    { apiVersion: "v1", kind: "ConfigMap", metadata, data: { note: "plain-text" } },
    signal,
  );
  assert.equal(stringAt(await api.get(resources.secrets, metadata, signal), "data", "password"), "c2VjcmV0");
  for (const [plural, id] of [
    ["secrets", "1_secrets"],
    ["configmaps", "1_configmaps"],
  ] as const) {
    const stored = await storedAt(plane.etcdUrl, `/registry/${plural}/default/kept`);
    assert.ok(stored.startsWith(`k8s:enc:kms:v2:${id}:`), stored.slice(0, 40));
    assert.ok(!stored.includes("password") && !stored.includes("plain-text"));
  }
  assert.ok(plugin.calls.includes("status") && plugin.calls.includes("encrypt"), plugin.calls.join());
});

async function storedAt(etcdUrl: string, key: string): Promise<string> {
  const response = await fetch(`${etcdUrl}/v3/kv/range`, {
    method: "POST",
    body: JSON.stringify({ key: Buffer.from(key).toString("base64") }),
  });
  const { kvs } = (await response.json()) as { readonly kvs: readonly { readonly value: string }[] };
  return Buffer.from(kvs[0]?.value ?? "", "base64").toString("latin1");
}
