/**
 * `make upgrade-fixtures`: creates missing fixtures with the programs of earlier versions. Each program is killed while it
 * creates one cluster and deletes a second one.
 */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import { checkOut } from "./check-out.ts";
import { readCosmos } from "./documents/cosmos-account.ts";
import { earlierVersions } from "./earlier-versions.ts";
import { cosmosFile, type FixtureFacts, writeFixture } from "./fixture.ts";

const apiVersion = "2023-11-22";
const names = { creating: "creating", deleting: "deleting" };
const worldFlags = ["--ports", "auto", "--subnets-for", "demo", ...Object.values(names)];

/** Document locations that earlier versions support: the state directory or a Cosmos DB account. */
const places = [
  { suffix: "", make: makeFixture },
  { suffix: "-cosmos", make: makeCosmosFixture },
];

for (const version of earlierVersions)
  for (const { suffix, make } of places) {
    const name = `${version.name}${suffix}`;
    if (existsSync(join(import.meta.dirname, "fixtures", `${name}.json`))) continue;
    using state = new StateDirectory();
    const script = await checkOut(version, AbortSignal.timeout(900_000));
    const facts = await make(script, state);
    await writeFixture(name, state.path, { commit: version.commit, ...facts, ...names });
    process.stdout.write(`${name}\n`);
  }

type Facts = Pick<FixtureFacts, "demo">;

async function makeFixture(script: string, state: StateDirectory): Promise<Facts> {
  await using program = Program.startOf(script, "up", "--state", state.path, "--no-cluster", ...worldFlags);
  await program.says(/endpoints/);
  await using client = new ArmClient(state.file("endpoints.json"));
  const facts = await useService(client);
  await program.signal("SIGKILL");
  return facts;
}

async function makeCosmosFixture(script: string, state: StateDirectory): Promise<Facts> {
  const flags = ["--state", state.path, "--cosmos-port", "0", ...worldFlags];
  await using world = Program.startOf(script, "sim", ...flags);
  await world.says(/clusters/);
  await using provider = Program.startOf(script, "rp", "--state", state.path);
  await provider.says(/"rp"/);
  await using client = new ArmClient(state.file("endpoints.json"));
  const facts = await useService(client);
  await provider.signal("SIGKILL");
  const contents = await readCosmos(state.file("service.json"));
  writeFileSync(state.file(cosmosFile), JSON.stringify(contents));
  await world.signal("SIGKILL");
  return facts;
}

/** Creates three clusters: one completed, one with a running creation and one with a running deletion. */
async function useService(client: ArmClient): Promise<Facts> {
  await client.registerSubscription();
  for (const name of ["demo", names.deleting]) {
    await client.createCluster(name, "20191231");
    assert.equal(await client.terminal(name), "Succeeded");
  }
  const demo = await describe(client);
  await client.createCluster(names.creating, "20191231");
  await client.call("DELETE", `${client.cluster(names.deleting)}?api-version=${apiVersion}`);
  await delay(1_500);
  return { demo };
}

async function describe(client: ArmClient): Promise<FixtureFacts["demo"]> {
  const get = (suffix = "", method: "GET" | "POST" = "GET") =>
    client.call(method, `${client.cluster("demo", suffix)}?api-version=${apiVersion}`);
  return { cluster: (await get()).body, credentials: (await get("/listCredentials", "POST")).body };
}
