import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { createMessage, generateKey, readPrivateKey, sign as signMessage } from "openpgp";
import { failuresOf } from "../report.ts";
import { respond, serveHttps, testAuthority } from "../testing/https-server.ts";
import { mirror, temporaryDirectory, testSettings } from "../testing/mirror-setup.ts";
import { TestRegistry } from "../testing/test-registry.ts";
import type { SignatureRule } from "./signature-policy.ts";

/** Mirrors `app:v1`. `prepare` receives the image's digest and returns the signature rule. */
async function mirrorSigned(
  prepare: (source: TestRegistry, digest: string) => Promise<Omit<SignatureRule, "repositories">>,
) {
  await using source = await TestRegistry.start();
  await using target = await TestRegistry.start();
  using directory = temporaryDirectory();
  const { digest } = source.store.addImage("team/app", [1_000], "v1");
  const rule = await prepare(source, digest);
  const report = await mirror({
    destination: target.host,
    registries: { [source.host]: await testSettings(), [target.host]: await testSettings() },
    images: [`${source.host}/team/app:v1`],
    signatures: [{ repositories: [`${source.host}/team/*`], ...rule }],
    stateDirectory: directory.path,
  });
  const copied = { source: source.store.contents(), target: target.store.contents() };
  return { failures: failuresOf(report), warnings: report.warnings, ...copied };
}

const keys = {
  "ECDSA P-256": generateKeyPairSync("ec", { namedCurve: "P-256" }),
  Ed25519: generateKeyPairSync("ed25519"),
  RSA: generateKeyPairSync("rsa", { modulusLength: 2048 }),
};
const other = generateKeyPairSync("ec", { namedCurve: "P-256" });

for (const [name, { publicKey, privateKey }] of Object.entries(keys)) {
  test(`cosign: a signature by a configured key (${name}) is good, and copied`, async () => {
    const { failures, source, target } = await mirrorSigned(async ({ store }, digest) => {
      const algorithm = name === "Ed25519" ? undefined : "sha256";
      store.addCosignSignature("team/app", digest, (claim) => sign(algorithm, claim, privateKey));
      return { cosignKeys: [other.publicKey, publicKey] };
    });
    assert.deepEqual(failures, []);
    assert.deepEqual(target, source);
  });
}

test("cosign: a signature by a different key or of a different image is rejected, and nothing is copied", async () => {
  const { publicKey, privateKey } = keys["ECDSA P-256"];
  const wrong = [
    [other.privateKey, undefined, /one is by none of the configured keys/],
    [privateKey, `sha256:${"0".repeat(64)}`, /one is of another image, sha256:000/],
  ] as const;
  for (const [key, signed, message] of wrong) {
    const { failures, target } = await mirrorSigned(async ({ store }, digest) => {
      store.addCosignSignature("team/app", digest, (claim) => sign("sha256", claim, key), signed);
      return { cosignKeys: [publicKey] };
    });
    assert.equal(failures[0]?.code, "SignatureInvalid");
    assert.match(failures[0]?.message ?? "", message);
    assert.deepEqual(target, {});
  }
});

test("cosign: an image without signature is not copied", async () => {
  const { failures, target } = await mirrorSigned(async () => ({ cosignKeys: [other.publicKey] }));
  assert.equal(failures[0]?.code, "SignatureMissing");
  assert.deepEqual(target, {});
});

async function openPgpKey() {
  const { privateKey, publicKey } = await generateKey({ userIDs: [{ name: "release" }], format: "armored" });
  return { publicKey, privateKey: await readPrivateKey({ armoredKey: privateKey }) };
}

/** Mirrors a release with one published signature. By default, the signature is valid. `change` modifies or removes it. */
async function mirrorRelease(change: {
  readonly digest?: string;
  readonly type?: string;
  readonly otherKey?: boolean;
  readonly alter?: (signature: Buffer) => Buffer;
  readonly absent?: boolean;
}) {
  const [trusted, stranger] = await Promise.all([openPgpKey(), openPgpKey()]);
  let signature: Buffer = Buffer.alloc(0);
  let published = "";
  await using store = await serveHttps(async (request, response) =>
    !change.absent && request.url === published
      ? respond(response, 200, {}, signature)
      : respond(response, 404),
  );
  const { certificatePem: caPem } = await testAuthority();
  return await mirrorSigned(async (_, digest) => {
    published = `/store/${digest.replace(":", "=")}/signature-1`;
    const claim = {
      critical: {
        image: { "docker-manifest-digest": change.digest ?? digest },
        type: change.type ?? "atomic container signature",
        identity: { "docker-reference": "quay.io/openshift-release-dev/ocp-release:4.12.0-x86_64" },
      },
    };
    const signed = await signMessage({
      message: await createMessage({ binary: new TextEncoder().encode(JSON.stringify(claim)) }),
      signingKeys: (change.otherKey ? stranger : trusted).privateKey,
      format: "binary",
    });
    signature = Buffer.from(signed);
    if (change.alter) signature = change.alter(signature);
    const stores = [`https://${store.host}/empty`, `https://${store.host}/store`];
    return { releaseKeyring: { armoredKeys: trusted.publicKey, stores, caPem } };
  });
}

test("OpenPGP: a signature of the release by a key of the keyring is good", async () => {
  const { failures, source, target } = await mirrorRelease({});
  assert.deepEqual(failures, []);
  assert.deepEqual(target, source);
});

const wrongReleases = {
  "by a stranger": [{ otherKey: true }, /is not good/],
  "of another release": [{ digest: `sha256:${"0".repeat(64)}` }, /is of another release/],
  "of something else": [{ type: "letter" }, /is not of a container image/],
  "that was altered": [
    { alter: (signature: Buffer) => Buffer.concat([signature.subarray(0, -8), Buffer.alloc(8, 1)]) },
    /is not good/,
  ],
  "that is none": [{ alter: () => Buffer.from("hello") }, /is not good/],
} as const;
for (const [name, [change, message]] of Object.entries(wrongReleases)) {
  test(`OpenPGP: a signature ${name} is rejected, and nothing is copied`, async () => {
    const { failures, target } = await mirrorRelease(change);
    assert.equal(failures[0]?.code, "SignatureInvalid");
    assert.match(failures[0]?.message ?? "", message);
    assert.deepEqual(target, {});
  });
}

test("OpenPGP: a release without signature is not copied", async () => {
  const { failures, target } = await mirrorRelease({ absent: true });
  assert.equal(failures[0]?.code, "SignatureMissing");
  assert.deepEqual(target, {});
});
