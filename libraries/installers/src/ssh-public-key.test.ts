import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { test } from "node:test";
import { sshPublicKey } from "./ssh-public-key.ts";
import { machineKey } from "./testing/machine-key.ts";

test("the line holds the algorithm, the exponent and the modulus, each after its length", () => {
  const privateKey = machineKey().reveal();
  const [algorithm, base64 = "", ...rest] = sshPublicKey(privateKey).split(" ");
  assert.deepEqual([algorithm, rest], ["ssh-rsa", []]);
  const parts: Buffer[] = [];
  for (let blob = Buffer.from(base64, "base64"); blob.length > 0; ) {
    const end = 4 + blob.readUInt32BE();
    parts.push(blob.subarray(4, end));
    blob = blob.subarray(end);
  }
  const [name, exponent, modulus] = parts;
  const { e = "", n = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  assert.equal(name?.toString(), "ssh-rsa");
  assert.equal(exponent?.toString("base64url"), e);
  // 2,048 bits, the first of which is set: a zero byte says that it is no sign.
  assert.deepEqual(modulus, Buffer.concat([Buffer.of(0), Buffer.from(n, "base64url")]));
});
