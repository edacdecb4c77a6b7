import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { provenance, signEnvelope, verifyEnvelope } from "./provenance.ts";

const build = {
  version: "0.2.0",
  commit: "0".repeat(40),
  builder: "urn:example:builder",
  inputs: { "package-lock.json": "2".repeat(64) },
  startedOn: new Date(0),
  finishedOn: new Date(1_000),
};

test("a signed statement has the digests of files and sources, and verifies only with its key and unchanged", () => {
  const [own, foreign] = [generateKeyPairSync("ed25519"), generateKeyPairSync("ed25519")];
  const statement = provenance([{ name: "a.tgz", sha256: "1".repeat(64) }], build);
  const envelope = signEnvelope(statement, own.privateKey);
  assert.deepEqual(verifyEnvelope(envelope, own.publicKey), statement);
  assert.equal(verifyEnvelope(envelope, foreign.publicKey), undefined);
  const payload = Buffer.from(JSON.stringify({ ...statement, subject: [] })).toString("base64");
  assert.equal(verifyEnvelope({ ...envelope, payload }, own.publicKey), undefined);
  assert.equal(verifyEnvelope({ ...envelope, payloadType: "text/plain" }, own.publicKey), undefined);
  assert.deepEqual(statement, {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "a.tgz", digest: { sha256: "1".repeat(64) } }],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:keelson:release:1",
        externalParameters: { version: "0.2.0" },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: "0".repeat(40) } },
          { name: "package-lock.json", digest: { sha256: "2".repeat(64) } },
        ],
      },
      runDetails: {
        builder: { id: "urn:example:builder" },
        metadata: { startedOn: "1970-01-01T00:00:00.000Z", finishedOn: "1970-01-01T00:00:01.000Z" },
      },
    },
  });
});
