import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { chooseAroInstaller, readAroInstaller } from "./aro-installer.ts";
import { chooseManagementCluster, readManagementCluster } from "./management-cluster.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-installers-"));
after(() => rmSync(directory, { recursive: true, force: true }));

function stateDirectory(): string {
  return mkdtempSync(join(directory, "state-"));
}

test("a directory with ARO's installer refuses Hive and stays as it is", async () => {
  const state = stateDirectory();
  const chosen = chooseAroInstaller(state, "/opt/installer");
  await assert.rejects(chooseManagementCluster(state, "/opt/crds"), {
    code: "StateUnusable",
    message: /installs clusters by ARO's installer/,
  });
  assert.equal(readManagementCluster(state), undefined);
  assert.equal(await chooseManagementCluster(state, undefined), undefined);
  assert.deepEqual(readAroInstaller(state), chosen);
});

test("a directory with Hive refuses ARO's installer and stays as it is", async () => {
  const state = stateDirectory();
  const chosen = await chooseManagementCluster(state, "/opt/crds");
  assert.throws(() => chooseAroInstaller(state, "/opt/installer"), {
    code: "StateUnusable",
    message: /installs clusters by Hive/,
  });
  assert.equal(readAroInstaller(state), undefined);
  assert.deepEqual(readManagementCluster(state), chosen);
});
