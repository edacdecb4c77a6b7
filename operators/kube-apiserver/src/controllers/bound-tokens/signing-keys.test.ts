import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { hasPublicKey, publicKeys, signingKeyPair, withPublicKey } from "./signing-keys.ts";

const pair = () =>
  generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "sec1", format: "pem" },
  });
const [one, other] = [pair(), pair()];
const secret = (key: string, pub: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "s" },
  data: {
    "service-account.key": Buffer.from(key).toString("base64"),
    "service-account.pub": Buffer.from(pub).toString("base64"),
  },
});

test("a key pair counts when its halves belong together", () => {
  assert.deepEqual(signingKeyPair(secret(one.privateKey, one.publicKey)), one);
  assert.equal(signingKeyPair(secret(one.privateKey, other.publicKey)), undefined);
  assert.equal(signingKeyPair(secret("no key", one.publicKey)), undefined);
  assert.equal(signingKeyPair(undefined), undefined);
});

test("public keys are added under unused names, each once, and never removed", () => {
  const first = withPublicKey(new Map(), one.publicKey);
  assert.deepEqual([...first.keys()], ["service-account-001.pub"]);
  const second = withPublicKey(first, other.publicKey);
  assert.deepEqual([...second.keys()], ["service-account-001.pub", "service-account-002.pub"]);
  assert.equal(withPublicKey(second, one.publicKey), second);
  const gap = new Map([["service-account-002.pub", one.publicKey]]);
  assert.deepEqual([...withPublicKey(gap, other.publicKey).keys()].sort(), [
    "service-account-001.pub",
    "service-account-002.pub",
  ]);
});

test("keys in a ConfigMap are compared without surrounding whitespace", () => {
  const data = { a: `${one.publicKey}\n`, b: 3 };
  const found = publicKeys({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data });
  assert.ok(hasPublicKey(found, one.publicKey));
  assert.ok(!hasPublicKey(found, other.publicKey));
});
