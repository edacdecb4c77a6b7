import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { keyManagementService } from "./kms-protocol.ts";

const { method, typeName } = keyManagementService();
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

test("messages have the numbers of fields that plugins know", () => {
  assert.equal(typeName, "v2.KeyManagementService");
  assert.deepEqual(
    Object.values(method).map(({ name }) => name),
    ["Status", "Decrypt", "Encrypt"],
  );
  const status = { $typeName: "v2.StatusResponse", version: "v2", healthz: "ok", keyId: "k" } as const;
  assert.equal(hex(toBinary(method.status.output, status)), "0a027632" + "12026f6b" + "1a016b");
  const request = {
    $typeName: "v2.DecryptRequest",
    ciphertext: new Uint8Array([1]),
    uid: "u",
    keyId: "k",
    annotations: { "a.b": new Uint8Array([2]) },
  } as const;
  assert.equal(
    hex(toBinary(method.decrypt.input, request)),
    "0a0101" + "120175" + "1a016b" + "22080a03612e62120102",
  );
  const response = {
    $typeName: "v2.EncryptResponse",
    ciphertext: new Uint8Array([1]),
    keyId: "k",
    annotations: {},
  } as const;
  assert.equal(hex(toBinary(method.encrypt.output, response)), "0a0101" + "12016b");
});

test("what a plugin sends is a message or an error, never anything else", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        const { version, healthz, keyId } = fromBinary(method.status.output, bytes);
        for (const each of [version, healthz, keyId]) assert.equal(typeof each, "string");
      } catch (error) {
        assert.ok(error instanceof Error && !(error instanceof assert.AssertionError), `${error}`);
      }
    }),
  );
});
