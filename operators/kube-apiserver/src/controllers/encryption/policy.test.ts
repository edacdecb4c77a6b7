import assert from "node:assert/strict";
import { test } from "node:test";
import { encryptionPolicy } from "./controller.ts";

const object = (spec: unknown) => ({ apiVersion: "v1", kind: "Any", metadata: { name: "cluster" }, spec });

for (const [spec, mode] of [
  [undefined, "identity"],
  [{}, "identity"],
  [{ encryption: { type: "" } }, "identity"],
  [{ encryption: { type: "aescbc" } }, "aescbc"],
  [{ encryption: { type: "aesgcm" } }, "aesgcm"],
  [{ encryption: "aescbc" }, "identity"],
] as const)
  test(`encryption that is asked for by ${JSON.stringify(spec)}`, () => {
    assert.equal(encryptionPolicy(object(spec), object({}), () => false).mode, mode);
  });

test("a mode that is not supported is named; a reason in the overrides asks for a new key", () => {
  assert.throws(
    () => encryptionPolicy(object({ encryption: { type: "rot13" } }), object({}), () => true),
    /"rot13" is not supported/,
  );
  const overrides = { unsupportedConfigOverrides: { encryption: { reason: "leaked" } } };
  assert.equal(encryptionPolicy(undefined, object(overrides), () => false).externalReason, "leaked");
});

test("a key management service requires its feature gate", () => {
  const kms = { type: "Vault", vault: { vaultAddress: "https://vault.example" } };
  const asked = object({ encryption: { type: "KMS", kms } });
  assert.throws(() => encryptionPolicy(asked, object({}), () => false), /feature gate KMSEncryption/);
  assert.deepEqual(
    encryptionPolicy(asked, object({}), () => true),
    {
      mode: "KMS",
      externalReason: "",
      plugin: kms,
    },
  );
});
