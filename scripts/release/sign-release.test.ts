import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempDisposableSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { signRelease, verifyRelease } from "./sign-release.ts";

const build = {
  version: "0.2.0",
  commit: "0".repeat(40),
  builder: "urn:example:builder",
  inputs: {},
  startedOn: new Date(0),
  finishedOn: new Date(1),
};

async function signed() {
  const made = mkdtempDisposableSync(join(tmpdir(), "keelson-release-"));
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  for (const name of ["a.tgz", "b.json"]) writeFileSync(join(made.path, name), name);
  await signRelease(made.path, build, privateKey);
  return { path: made.path, publicKey, [Symbol.dispose]: () => made[Symbol.dispose]() };
}

test("the signed files verify with the release's key and with sha256sum, not with a second key", async () => {
  using release = await signed();
  assert.deepEqual(await verifyRelease(release.path, release.publicKey), []);
  const checked = execFileSync("sha256sum", ["--check", "SHA256SUMS"], {
    cwd: release.path,
    encoding: "utf8",
  });
  assert.equal(checked, "a.tgz: OK\nb.json: OK\nprovenance.intoto.jsonl: OK\n");
  const { publicKey } = generateKeyPairSync("ed25519");
  assert.deepEqual(await verifyRelease(release.path, publicKey), [
    "SHA256SUMS.sig is not a signature of SHA256SUMS with this key.",
  ]);
});

test("a changed, a missing and an additional file are reported", async () => {
  using release = await signed();
  writeFileSync(join(release.path, "a.tgz"), "changed");
  rmSync(join(release.path, "b.json"));
  writeFileSync(join(release.path, "c.exe"), "");
  assert.deepEqual(await verifyRelease(release.path, release.publicKey), [
    "a.tgz does not have the checksum of SHA256SUMS.",
    "b.json is missing.",
    "c.exe is not listed in SHA256SUMS.",
  ]);
});

test("without a key there are only checksums, and verification names the missing signature", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-release-"));
  writeFileSync(join(directory.path, "a.tgz"), "a");
  await signRelease(directory.path, build, undefined);
  assert.deepEqual(readdirSync(directory.path), ["SHA256SUMS", "a.tgz"]);
  const { publicKey } = generateKeyPairSync("ed25519");
  assert.deepEqual(await verifyRelease(directory.path, publicKey), ["SHA256SUMS.sig is missing."]);
});
