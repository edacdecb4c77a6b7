import assert from "node:assert/strict";
import { test } from "node:test";
import { kmsConfigHash } from "./kms-config-hash.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const vault = {
  vaultAddress: "https://vault.example.com:8200",
  authentication: { type: "AppRole", appRole: { secret: { name: "vault-approle" } } },
  tls: { caBundle: { name: "vault-ca-bundle" } },
  vaultKeyPath: "transit/keys/my-key",
};
const role = (id: string, secret: string, name = "vault-approle") => ({
  [`${name}_role-id`]: base64(id),
  [`${name}_secret-id`]: base64(secret),
});
const authorities = (name = "vault-ca-bundle") => ({ [`${name}_ca-bundle.crt`]: base64("test-ca-cert") });
const good = { secrets: role("role-123", "secret-456"), configMaps: authorities() };
const image =
  "registry.example.com/plugin@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const otherRole = { type: "AppRole", appRole: { secret: { name: "other-secret" } } };

// Expected hashes from openshift/library-go pkg/operator/encryption/controllers/kms_preflight_controller_test.go.
for (const [name, change, references, hash] of [
  ["nothing", {}, {}, "cuZm_g=="],
  ["the image", { kmsPluginImage: image }, {}, "DP-Bbg=="],
  ["the address", { vaultAddress: "https://other-vault.example.com:8200" }, {}, "oHX1jw=="],
  ["the namespace", { vaultNamespace: "my-namespace" }, {}, "lmrlhQ=="],
  ["the namespace to sign in", { vaultAuthNamespace: "my-auth-namespace" }, {}, "TZa3aA=="],
  ["the key", { vaultKeyPath: "transit/keys/other-key" }, {}, "BihuJg=="],
  ["the server's name", { tls: { ...vault.tls, serverName: "vault.example.com" } }, {}, "d8Xvrw=="],
  [
    "the ConfigMap",
    { tls: { caBundle: { name: "other-ca-bundle" } } },
    { configMaps: authorities("other-ca-bundle") },
    "2UnFwA==",
  ],
  [
    "the Secret",
    { authentication: otherRole },
    { secrets: role("role-123", "secret-456", "other-secret") },
    "yHXRJw==",
  ],
  ["the role", {}, { secrets: role("role-999", "secret-456") }, "5Fa5pQ=="],
] as const)
  test(`a configuration of a key management service has the original's hash with a change of ${name}`, () => {
    const plugin = { type: "Vault", vault: { ...vault, ...change } };
    assert.equal(kmsConfigHash(plugin, { ...good, ...references }), hash);
  });
