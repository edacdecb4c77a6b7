import assert from "node:assert/strict";
import { test } from "node:test";
import { tlsProfile } from "./tls-profile.ts";

const rows: readonly (readonly [string, unknown, string, number])[] = [
  ["absent", undefined, "VersionTLS12", 9],
  ["unknown", { type: "Ancient" }, "VersionTLS12", 9],
  ["custom without a body", { type: "Custom" }, "VersionTLS12", 9],
  ["old, without three ciphers that Go does not have", { type: "Old", old: {} }, "VersionTLS10", 21],
  ["intermediate", { type: "Intermediate" }, "VersionTLS12", 9],
  ["modern", { type: "Modern" }, "VersionTLS13", 3],
  ["of a wrong type", 7, "VersionTLS12", 9],
];
for (const [name, profile, version, ciphers] of rows)
  test(name, () => {
    const { minTlsVersion, cipherSuites } = tlsProfile(profile);
    assert.equal(minTlsVersion, version);
    assert.equal(cipherSuites.length, ciphers);
  });

test("a custom profile is translated without its unknown ciphers", () => {
  const custom = { minTLSVersion: "VersionTLS11", ciphers: ["ECDHE-RSA-AES128-GCM-SHA256", "NO-SUCH", 3] };
  assert.deepEqual(tlsProfile({ type: "Custom", custom }), {
    minTlsVersion: "VersionTLS11",
    cipherSuites: ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"],
  });
});
