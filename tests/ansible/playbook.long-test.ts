/** Unmodified Ansible creates, updates and deletes a cluster with a playbook. A second run of each playbook changes nothing. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { promisify } from "node:util";
import { azVersions } from "../e2e/az/support/az.ts";
import { AzWorld } from "../e2e/az/support/az-world.ts";

const root = new URL("../..", import.meta.url).pathname;
const ansible = join(root, ".tools/ansible/bin");

test("a playbook creates, updates, reruns without a change, and deletes", {
  timeout: 1_800_000,
}, async () => {
  await using world = await AzWorld.start("--operators", "none");
  const { endpoints, environment } = world;
  const az = world.az(azVersions.newest, "ansible");
  await az.signIn(endpoints);
  const application = await az.json("ad", "sp", "create-for-rbac", "--name", "ansible-cluster");
  const principal = await az.json("ad", "sp", "show", "--id", application.appId);
  const [provider] = await az.json("ad", "sp", "list", "--display-name", "Azure Red Hat OpenShift RP");
  const env = {
    ...environment,
    PATH: process.env.PATH,
    HOME: world.state.path,
    AZURE_SECRET: endpoints.clientSecret,
    AZURE_TENANT: endpoints.tenantId,
    CLUSTER_CLIENT_ID: application.appId,
    CLUSTER_CLIENT_SECRET: application.password,
    CLUSTER_OBJECT_ID: principal.id,
    PROVIDER_OBJECT_ID: provider.id,
  };
  /** Runs the playbook. Returns the number of changed Ansible tasks. */
  const play = async (...variables: string[]): Promise<number> => {
    const given = [`ansible_python_interpreter=${ansible}/python`, ...variables].flatMap((each) => [
      "-e",
      each,
    ]);
    const playbook = join(root, "examples/ansible-cluster.yml");
    const { stdout } = await promisify(execFile)(join(ansible, "ansible-playbook"), [playbook, ...given], {
      env,
    });
    const [, changed = ""] = /localhost\s.*changed=(\d+)/.exec(stdout) ?? assert.fail(stdout);
    return Number(changed);
  };
  const cluster = ["--resource-group", "ansible", "--name", "ansible"];

  assert.ok((await play()) > 0);
  assert.equal(await play(), 0);
  assert.equal(await play("owner=somebody"), 1);
  assert.equal(await play("owner=somebody"), 0);
  const { provisioningState, tags } = await az.json("aro", "show", ...cluster);
  assert.deepEqual([provisioningState, tags], ["Succeeded", { owner: "somebody" }]);
  assert.equal(await play("state=absent"), 1);
  assert.equal(await play("state=absent"), 0);
  assert.equal((await az.run("aro", "show", ...cluster)).code, 3);
});
