/**
 * `make upgrade-fixtures`: state directories as each earlier version leaves them, made by its own program, for versions that have none
 * yet. It is killed while it creates one cluster and deletes another.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { exampleRequest } from "../e2e/support/cluster-request.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import { checkOut } from "./check-out.ts";
import { type EarlierVersion, earlierVersions } from "./earlier-versions.ts";
import { type FixtureFacts, writeFixture } from "./fixture.ts";

const apiVersion = "2023-11-22";
const names = { creating: "creating", deleting: "deleting" };

for (const version of earlierVersions) {
  if (existsSync(join(import.meta.dirname, "fixtures", `${version.name}.json`))) continue;
  await makeFixture(version);
  process.stdout.write(`${version.name}\n`);
}

async function makeFixture(version: EarlierVersion): Promise<void> {
  using state = new StateDirectory();
  const script = await checkOut(version, AbortSignal.timeout(600_000));
  const flags = ["--ports", "auto", "--no-cluster", "--subnets-for", "demo", ...Object.values(names)];
  await using program = Program.startOf(script, "up", "--state", state.path, ...flags);
  await program.says(/endpoints/);
  await using client = new ArmClient(state.file("endpoints.json"));
  await client.call("PUT", `/subscriptions/${client.subscriptionId}?api-version=2.0`, {
    state: "Registered",
  });
  for (const name of ["demo", names.deleting]) {
    await create(client, name);
    assert.equal(await client.terminal(name), "Succeeded");
  }
  const demo = await describe(client);
  await create(client, names.creating);
  await client.call("DELETE", `${client.cluster(names.deleting)}?api-version=${apiVersion}`);
  await delay(1_500);
  await program.signal("SIGKILL");
  await writeFixture(version.name, state.path, { commit: version.commit, demo, ...names });
}

async function create(client: ArmClient, name: string): Promise<void> {
  const request = exampleRequest("20191231", await client.clusterVariables(name));
  const path = `${client.cluster(name)}?api-version=2019-12-31-preview`;
  const { status, body } = await client.call("PUT", path, request);
  assert.equal(status, 201, JSON.stringify(body));
}

async function describe(client: ArmClient): Promise<FixtureFacts["demo"]> {
  const get = (suffix = "", method: "GET" | "POST" = "GET") =>
    client.call(method, `${client.cluster("demo", suffix)}?api-version=${apiVersion}`);
  return { cluster: (await get()).body, credentials: (await get("/listCredentials", "POST")).body };
}
