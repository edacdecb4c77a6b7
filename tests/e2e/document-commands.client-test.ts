/**
 * Runs the commands of the README and of the cluster pages in docs/ in a shell. Only the state directory, the resource provider's
 * address and kubeconfig paths are changed.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";
import { azVersions } from "./az/support/az.ts";
import { ArmClient } from "./support/arm-client.ts";
import { documentBlocks } from "./support/document-blocks.ts";
import { Program, StateDirectory } from "./support/program.ts";

const run = promisify(execFile);
const root = new URL("../..", import.meta.url).pathname;

/**
 * Returns a function that runs a document's commands in a shell. The function replaces the commands' state directory and resource
 * provider address.
 */
function shellOf(state: StateDirectory, client: ArmClient, environment: string) {
  return async (command: string) => {
    const script = `${environment}${command}`
      .replaceAll(/\.\/keelson (?:az-env|cluster \w+)/g, (command) => `${command} --state ${state.path}`)
      .replaceAll("https://localhost:8443", client.rp);
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], { cwd: root });
    return stdout;
  };
}

test("docs/managed-identities.md: commands for a cluster with managed identities", {
  timeout: 900_000,
}, async () => {
  using state = new StateDirectory();
  await using program = Program.start("up", "--state", state.path, "--ports", "auto", "--no-cluster");
  await program.says(/endpoints/);
  await using client = new ArmClient(state.file("endpoints.json"));
  const [environment = "", register = ""] = documentBlocks("docs/arm-api.md", "Cluster life cycle");
  const [identities = "", create = "", ...rest] = documentBlocks("docs/managed-identities.md", "Example");
  assert.equal(rest.length, 0);
  const shell = shellOf(state, client, environment);
  await shell(register);
  assert.equal((await shell(identities)).match(/"principalId"/g)?.length, 9);
  assert.equal(JSON.parse(await shell(create)).properties.provisioningState, "Creating");
  assert.equal(await client.terminal("cluster"), "Succeeded");
});

test("README: commands that create clusters with keelson and az", { timeout: 900_000 }, async () => {
  using state = new StateDirectory();
  await using program = Program.start("up", "--state", state.path, "--ports", "auto", "--no-cluster");
  await program.says(/endpoints/, 180_000);
  await using client = new ArmClient(state.file("endpoints.json"));
  const [commands = "", az = "", ...rest] = documentBlocks("README.md", "Create a cluster");
  const [use = "", ...others] = documentBlocks("docs/azure-clients.md", "Use a cluster with az");
  assert.deepEqual([rest, others], [[], []]);
  const newest = `export PATH="${root}.tools/az/${azVersions.newest}/bin:$PATH"\n`;
  const shell = shellOf(state, client, newest);
  assert.match(await shell(commands), /^example +Succeeded/m);
  await shell(az);
  const file = state.file("one.kubeconfig");
  const environment = `eval "$(./keelson az-env)"\n`;
  assert.match(
    await shell(`${environment}${use.replace("one.kubeconfig", file)}`),
    /^one +mine +eastus +Succeeded +3 +https:/m,
  );
  assert.match(readFileSync(file, "utf8"), /^current-context: |"current-context": ?"/m);
  assert.equal(
    (await client.call("GET", client.cluster("one", "?api-version=2025-07-25").replace("/one/", "/mine/")))
      .status,
    404,
  );
});

test("docs/arm-api.md: commands of the original's first README", { timeout: 900_000 }, async () => {
  using state = new StateDirectory();
  await using program = Program.start("up", "--state", state.path, "--ports", "auto", "--no-cluster");
  await program.says(/endpoints/);
  await using client = new ArmClient(state.file("endpoints.json"));
  const [
    environment = "",
    register = "",
    create = "",
    get = "",
    credentials = "",
    inGroup = "",
    inSubscription = "",
    scale = "",
    remove = "",
    operations = "",
    ...rest
  ] = documentBlocks("docs/arm-api.md", "Cluster life cycle");
  assert.equal(rest.length, 0);
  const runShell = shellOf(state, client, environment);
  const shell = async (command: string) => {
    const stdout = await runShell(command);
    return stdout === "" ? undefined : JSON.parse(stdout);
  };
  assert.equal((await shell(register)).state, "Registered");
  assert.equal((await shell(create)).properties.provisioningState, "Creating");
  assert.equal(await client.terminal("cluster"), "Succeeded");
  assert.equal((await shell(get)).properties.provisioningState, "Succeeded");
  assert.match((await shell(credentials)).kubeadminPassword, /^.{5}-.{5}-.{5}-.{5}$/);
  assert.equal((await shell(inGroup)).value.length, 1);
  assert.equal((await shell(inSubscription)).value.length, 1);
  assert.equal((await shell(scale)).properties.provisioningState, "Updating");
  assert.equal(await client.terminal("cluster"), "Succeeded");
  assert.equal((await shell(get)).properties.workerProfiles[0].count, 4);
  assert.equal(await shell(remove), undefined);
  while ((await client.call("GET", `${client.cluster("cluster")}?api-version=2025-07-25`)).status !== 404) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.equal((await shell(operations)).value.length, 11);
});
