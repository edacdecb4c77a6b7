import assert from "node:assert/strict";
import { test } from "node:test";
import { createCertificateAuthority } from "@keelson/base";
import { combinedBundle } from "./combined-bundle.ts";

const now = new Date("2026-06-01T00:00:00Z");
const period = (notAfter: string) => ({
  notBefore: new Date("2026-01-01T00:00:00Z"),
  notAfter: new Date(notAfter),
});
const [first, second, expired] = await Promise.all([
  createCertificateAuthority("first", period("2027-01-01T00:00:00Z")),
  createCertificateAuthority("second", period("2027-01-01T00:00:00Z")),
  createCertificateAuthority("expired", period("2026-05-31T23:59:59Z")),
]).then((pairs) => pairs.map(({ certificatePem }) => certificatePem.trim()));

test("bundles become one, in order, without what expired and what is there already", () => {
  const pem = combinedBundle(
    [
      { name: "configmap/a", pem: `# a comment\n${second}\n${expired}` },
      { name: "configmap/b", pem: "" },
      { name: "configmap/c", pem: `${first}\n${second}\n` },
    ],
    now,
  );
  assert.equal(pem.trim(), `${second}\n${first}`);
});

test("a source that cannot be read is named", () => {
  const broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  assert.throws(
    () => combinedBundle([{ name: "configmap/a", pem: `${first}\n${broken}` }], now),
    /^Error: configmap\/a: /,
  );
});
