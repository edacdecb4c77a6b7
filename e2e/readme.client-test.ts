/** The README's walk-through, word for word, in a shell with curl and envsubst. Only the port is another. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";
import { ArmClient } from "./support/arm-client.ts";
import { Program, StateDirectory } from "./support/program.ts";

const run = promisify(execFile);
const root = new URL("..", import.meta.url).pathname;

/** The shell blocks of a section of the README, in order. */
function blocks(section: string): string[] {
  const readme = readFileSync(`${root}README.md`, "utf8");
  const text = readme.split(/^## /m).find((part) => part.startsWith(section)) ?? "";
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
}

test("the commands of the original's first README work as they stand", { timeout: 180_000 }, async () => {
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
  ] = blocks("Use it as the original");
  assert.equal(rest.length, 0);
  const shell = async (command: string) => {
    const script = `${environment}${command}`
      .replace("./keelson az-env", `./keelson az-env --state ${state.path}`)
      .replaceAll("https://localhost:8443", client.rp);
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], { cwd: root });
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
