import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyPairKeyObjectResult } from "node:crypto";
import { test } from "node:test";
import { opensshPublicKey } from "./openssh-key.ts";

/** Decodes the fields of a public key line according to the RFCs. */
function fieldsOf(line: string): { readonly algorithm: string; readonly fields: readonly Buffer[] } {
  const [algorithm = "", base64 = "", ...rest] = line.split(" ");
  assert.deepEqual(rest, [], "no comment");
  const fields: Buffer[] = [];
  for (let left = Buffer.from(base64, "base64"); left.length > 0; ) {
    const end = 4 + left.readUInt32BE();
    fields.push(left.subarray(4, end));
    left = left.subarray(end);
  }
  assert.equal(String(fields[0]), algorithm);
  return { algorithm, fields };
}

const hex = (bytes: Buffer | undefined) => bytes?.toString("hex") ?? "";
const jwkOf = ({ publicKey }: KeyPairKeyObjectResult) => publicKey.export({ format: "jwk" });
const number = (base64url = "") => BigInt(`0x${hex(Buffer.from(base64url, "base64url"))}`);

test("an RSA key is its exponent and its modulus, as positive numbers", () => {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const { algorithm, fields } = fieldsOf(opensshPublicKey(pair.privateKey));
  const { e, n } = jwkOf(pair);
  assert.equal(algorithm, "ssh-rsa");
  assert.equal(opensshPublicKey(pair.publicKey), opensshPublicKey(pair.privateKey));
  assert.deepEqual(
    fields.slice(1).map((each) => BigInt(`0x${hex(each)}`)),
    [number(e), number(n)],
  );
  assert.equal(fields[2]?.[0], 0, "a modulus of 2,048 bits begins with a set bit");
  assert.equal(fields[2]?.length, 257);
});

for (const [namedCurve, name] of [
  ["P-256", "nistp256"],
  ["P-384", "nistp384"],
  ["P-521", "nistp521"],
] as const)
  test(`an ECDSA key on ${namedCurve} is its curve and its point`, () => {
    const pair = generateKeyPairSync("ec", { namedCurve });
    const pem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const { algorithm, fields } = fieldsOf(opensshPublicKey(pem));
    const { x = "", y = "" } = jwkOf(pair);
    assert.equal(algorithm, `ecdsa-sha2-${name}`);
    assert.equal(String(fields[1]), name);
    const point = Buffer.concat([Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
    assert.equal(hex(fields[2]), `04${hex(point)}`);
  });

test("a key of an unsupported type is rejected", () => {
  const { privateKey } = generateKeyPairSync("ed25519");
  assert.throws(() => opensshPublicKey(privateKey), RangeError);
  assert.throws(() => opensshPublicKey("no key"));
});
