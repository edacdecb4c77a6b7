import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { issueCertificate, type KeyPair, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { followCertificate, readCertificate } from "./certificate-files.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-tls-"));
after(() => rmSync(directory, { recursive: true }));
const files = { certificateFile: join(directory, "tls.pem"), keyFile: join(directory, "tls-key.pem") };

const issue = () => issueCertificate(undefined, { commonName: "localhost", usage: "server", validDays: 1 });

function write({ certificatePem, privateKeyPem }: KeyPair): void {
  writeFileSync(files.certificateFile, certificatePem);
  writeFileSync(files.keyFile, privateKeyPem);
}

test("a certificate needs its own key", async () => {
  const [one, other] = [await issue(), await issue()];
  write(one);
  assert.deepEqual(await readCertificate(files), one);
  write({ ...one, privateKeyPem: other.privateKeyPem });
  await assert.rejects(readCertificate(files), /is not the key of/);
  write({ ...one, certificatePem: "text" });
  await assert.rejects(readCertificate(files), { code: "InvalidConfiguration" });
});

test("a renewed pair is reported only once its certificate and key match", async () => {
  const [first, second] = [await issue(), await issue()];
  write(first);
  const clock = new ManualClock();
  const stop = new AbortController();
  const told: KeyPair[] = [];
  const deps = { clock, logger: silentLogger, signal: stop.signal };
  const following = followCertificate(files, first, deps, (pair) => told.push(pair));
  const nextLook = async () => {
    while (clock.sleeping === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    await clock.advance(60_000);
    while (clock.sleeping === 0) await new Promise((resolve) => setTimeout(resolve, 2));
  };
  await nextLook();
  assert.deepEqual(told, []);
  writeFileSync(files.certificateFile, second.certificatePem);
  await nextLook();
  assert.deepEqual(told, [], "the key is still the former one");
  writeFileSync(files.keyFile, second.privateKeyPem);
  await nextLook();
  await nextLook();
  assert.deepEqual(told, [second]);
  stop.abort();
  await following;
});
