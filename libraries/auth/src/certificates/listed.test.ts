import assert from "node:assert/strict";
import { createHash, X509Certificate } from "node:crypto";
import { test } from "node:test";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { requestWith } from "../testing/callers.ts";
import { listedCertificates } from "./listed.ts";

function certificateFor(authority: KeyPair): Promise<KeyPair> {
  return issueCertificate(authority, { commonName: "arm", usage: "client", validDays: 1 });
}

test("a certificate counts only while it is valid", async () => {
  const authority = await createCertificateAuthority("test", 30);
  const arm = await certificateFor(authority);
  const clock = new ManualClock(new Date());
  const rule = listedCertificates([arm.certificatePem], clock);
  assert.equal(rule.admits(requestWith([arm])), true);
  await clock.advance(2 * 86_400_000);
  assert.equal(rule.admits(requestWith([arm])), false);
});

test("thumbprints stand for certificates, with or without colons", async () => {
  const authority = await createCertificateAuthority("test", 1);
  const arm = await certificateFor(authority);
  const other = await certificateFor(authority);
  for (const algorithm of ["sha1", "sha256"]) {
    const { raw } = new X509Certificate(arm.certificatePem);
    const thumbprint = createHash(algorithm).update(raw).digest("hex").toUpperCase();
    for (const text of [thumbprint, thumbprint.replace(/(..)(?=.)/g, "$1:")]) {
      const rule = listedCertificates([text], new ManualClock(new Date()));
      assert.equal(rule.admits(requestWith([arm])), true);
      assert.equal(rule.admits(requestWith([other])), false);
      assert.equal(rule.admits(requestWith([])), false);
    }
  }
});

test("an invalid certificate is rejected at startup", () => {
  for (const text of ["", "abc", "z".repeat(40)])
    assert.throws(() => listedCertificates([text], new ManualClock()), { code: "InvalidCertificate" });
});
