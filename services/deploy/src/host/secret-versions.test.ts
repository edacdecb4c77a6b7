import assert from "node:assert/strict";
import { test } from "node:test";
import type { VaultSecrets } from "@keelson/azure";
import { enabledVersions, newestVersion, sealingOrder } from "./secret-versions.ts";

const signal = AbortSignal.timeout(900_000);

function vaultWith(versions: readonly { version: string; day: number; enabled?: boolean }[]): VaultSecrets {
  return {
    listVersions: async () =>
      versions.map(({ version, day, enabled = true }) => ({
        version,
        enabled,
        createdAt: new Date(day * 86_400_000),
        tags: {},
      })),
    get: async () => assert.fail("no value is read"),
  };
}

test("versions are listed newest first, without those that are disabled", async () => {
  const vault = vaultWith([
    { version: "b", day: 2 },
    { version: "d", day: 4, enabled: false },
    { version: "a", day: 1 },
    { version: "c", day: 3 },
  ]);
  const found = await enabledVersions(vault, "key", signal);
  assert.deepEqual(
    found.map(({ version }) => version),
    ["c", "b", "a"],
  );
  assert.equal((await newestVersion(vault, "key", signal))?.version, "c");
});

test("a missing secret has no versions", async () => {
  const missing: VaultSecrets = {
    ...vaultWith([]),
    listVersions: () => Promise.reject(Object.assign(new Error("not found"), { statusCode: 404 })),
  };
  assert.deepEqual(await enabledVersions(missing, "key", signal), []);
  assert.equal(await newestVersion(missing, "key", signal), undefined);
});

test("machines of two successive deployments open each other's documents, also after a new version", () => {
  const versions = ["v1"];
  let before = sealingOrder(versions);
  for (const added of ["v2", undefined, "v3", "v4", undefined, "v5"]) {
    if (added !== undefined) versions.unshift(added);
    const now = sealingOrder(versions);
    assert.ok(now.includes(before[0] ?? ""), `${now} open what ${before} seal`);
    assert.ok(before.includes(now[0] ?? ""), `${before} open what ${now} seal`);
    before = now;
  }
  assert.deepEqual(sealingOrder([]), []);
});
