import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { loadOrCreateAuthority } from "./local-authority.ts";

test("certificates are kept, and made anew when their authority was", async () => {
  const directory = mkdtempSync(join(tmpdir(), "keelson-authority-"));
  try {
    const first = await loadOrCreateAuthority(directory);
    assert.deepEqual(await loadOrCreateAuthority(directory), first);
    rmSync(join(directory, "ca.pem"));
    const second = await loadOrCreateAuthority(directory);
    const { publicKey } = new X509Certificate(second.authority.certificatePem);
    for (const pair of [second.serving, second.azureHosts, second.arm])
      assert.ok(new X509Certificate(pair.certificatePem).verify(publicKey));
  } finally {
    rmSync(directory, { recursive: true });
  }
});
