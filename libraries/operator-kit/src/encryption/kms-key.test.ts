import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readEncryptionData, writeEncryptionData } from "./encryption-config.ts";
import { type EncryptionKey, newestFirst, newKeySecret, readKey } from "./encryption-key.ts";
import { newKmsKey } from "./kms-key.ts";
import { readKmsPlugin, writeKmsPlugin } from "./kms-plugin.ts";

const objectName = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,20}[a-z0-9])?$/);
const member = fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/);
const references = fc.dictionary(
  fc.tuple(objectName, member).map(([name, key]) => `${name}_${key}`),
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("base64")),
  { maxKeys: 3, noNullPrototype: true },
);
const plugin = fc.record({
  type: fc.constant("Vault"),
  vault: fc.record({ vaultAddress: fc.webUrl(), vaultKeyPath: fc.string(), later: fc.jsonValue() }),
});
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 3 });

test("keys of key management services survive their Secrets and the configuration of API servers", () => {
  fc.assert(
    fc.property(ids, plugin, references, references, (numbers, plugin, secrets, configMaps) => {
      const asStored = JSON.parse(JSON.stringify(plugin));
      const keys = newestFirst(
        numbers.map((id) => {
          const kms = newKmsKey(id, asStored, { secrets, configMaps });
          const secret = newKeySecret("test", {
            id,
            mode: "KMS",
            kms,
            internalReason: "a",
            externalReason: "b",
          });
          const read = readKey(secret);
          assert.deepEqual(read?.kms, kms);
          return read as EncryptionKey;
        }),
      );
      const state = new Map(
        ["secrets", "routes.route.openshift.io"].map((each) => [each, { writeKey: keys[0], readKeys: keys }]),
      );
      const data = writeEncryptionData(state);
      for (const name of Object.keys(data)) assert.match(name, /^[-._a-zA-Z0-9]+$/);
      assert.deepEqual(readEncryptionData(data, keys), state);
      // Without the key Secrets, the result lacks only the reasons for the creation of the keys.
      const alone = readEncryptionData(data, []).get("secrets")?.readKeys;
      assert.deepEqual(
        alone?.map(({ id, kms }) => ({ id, kms })),
        keys.map(({ id, kms }) => ({ id, kms })),
      );
    }),
  );
});

for (const [name, change] of [
  ["no configuration of API servers", { "-kms-encryption-config": undefined }],
  ["no plugin", { "-kms-plugin-config": undefined }],
  ["an invalid plugin", { "-kms-plugin-config": Buffer.from("{}").toString("base64") }],
  ["a configuration without a provider", { "-kms-encryption-config": Buffer.from("{}").toString("base64") }],
  ["key material", { "-key": Buffer.alloc(32, 1).toString("base64") }],
] as const)
  test(`a Secret is no key of a key management service with ${name}`, () => {
    const kms = newKmsKey(3, { type: "Vault", vault: {} }, { secrets: {}, configMaps: {} });
    const secret = newKeySecret("test", { id: 3, mode: "KMS", kms, internalReason: "", externalReason: "" });
    assert.ok(readKey(secret));
    const data: Record<string, unknown> = { ...(secret.data as object) };
    for (const [member, value] of Object.entries(change))
      data[`encryption.apiserver.operator.openshift.io${member}`] = value;
    assert.equal(readKey({ ...secret, data }), undefined);
  });

test("plugins are kept within an APIServer, as the original does", () => {
  const plugin = { type: "Vault", vault: { vaultAddress: "https://vault.example" } };
  const original = {
    kind: "APIServer",
    apiVersion: "config.openshift.io/v1",
    spec: { encryption: { kms: plugin } },
  };
  assert.deepEqual(readKmsPlugin(JSON.stringify(original)), plugin);
  assert.deepEqual(readKmsPlugin(writeKmsPlugin(plugin)), plugin);
  assert.throws(() => readKmsPlugin("[]"), /no plugin/);
});
