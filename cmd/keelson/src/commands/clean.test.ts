import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { clientId, clientSecret, startTestAzure, subscriptionId, tenantId } from "@keelson/sim-azure/testing";

function clean(
  state: string,
  ...more: readonly string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const main = join(import.meta.dirname, "..", "main.ts");
  const args = [
    "--disable-warning=ExperimentalWarning",
    main,
    "clean",
    "--state",
    state,
    "-o",
    "json",
    ...more,
  ];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

test("keelson clean says which groups it would delete, and deletes them when it is to", async () => {
  await using azure = await startTestAzure();
  const state = mkdtempSync(join(tmpdir(), "keelson-clean-"));
  try {
    const members = [
      "rp",
      "graph",
      "keyVaultSuffix",
      "portal",
      "clusters",
      "metrics",
      "admin",
      "proxy",
      "dns",
      "location",
    ];
    const caFile = join(state, "ca.pem");
    writeFileSync(caFile, azure.caPem);
    const endpoints = {
      ...Object.fromEntries(members.map((name) => [name, ""])),
      ...{ arm: azure.url, login: azure.url, caFile, subscriptionId, tenantId, clientId },
      clientSecret: clientSecret.reveal(),
    };
    writeFileSync(join(state, "endpoints.json"), JSON.stringify(endpoints));
    const groups = azure.clients.resources.resourceGroups;
    const old = { createdAt: "2020-01-01T00:00:00Z" };
    await groups.createOrUpdate("old", { location: "eastus", tags: old });
    await groups.createOrUpdate("kept", { location: "eastus", tags: { ...old, persist: "true" } });
    await groups.createOrUpdate("young", {
      location: "eastus",
      tags: { createdAt: new Date().toISOString() },
    });
    const outcomes = (text: string) =>
      Object.fromEntries(
        JSON.parse(text).groups.map(({ name, outcome }: { name: string; outcome: string }) => [
          name,
          outcome,
        ]),
      );
    const names = async () => (await Array.fromAsync(groups.list())).map(({ name }) => name).sort();

    const dry = await clean(state);
    assert.equal(dry.code, 0, dry.stderr);
    assert.deepEqual(outcomes(dry.stdout), { old: "would be deleted", kept: "kept", young: "kept" });
    assert.deepEqual(await names(), ["kept", "old", "young"]);

    const done = await clean(state, "--no-dry-run");
    assert.equal(done.code, 0, done.stderr);
    assert.deepEqual(outcomes(done.stdout), { old: "deleted", kept: "kept", young: "kept" });
    assert.deepEqual(await names(), ["kept", "young"]);
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});
