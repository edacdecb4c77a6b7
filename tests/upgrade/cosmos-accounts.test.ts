/** Accounts of Cosmos DB that earlier versions wrote, used by this one. */
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import { writeCosmos } from "./cosmos-account.ts";
import { earlierVersions } from "./earlier-versions.ts";
import { cosmosFile, unpackFixture } from "./fixture.ts";
import { checkTakenOver } from "./taken-over.ts";

for (const { name } of earlierVersions)
  test(`the documents of ${name} in Cosmos DB are as they were, and its operations go on to their end`, {
    timeout: 240_000,
  }, async () => {
    using state = new StateDirectory();
    const facts = await unpackFixture(`${name}-cosmos`, state.path);
    const flags = ["--state", state.path, "--ports", "auto", "--cosmos-port", "0"];
    await using world = Program.start("sim", ...flags);
    await world.says(/clusters/);
    await writeCosmos(state.file("service.json"), JSON.parse(readFileSync(state.file(cosmosFile), "utf8")));
    await using provider = Program.start("rp", "--state", state.path);
    await provider.says(/"rp"/);
    await using client = new ArmClient(state.file("endpoints.json"));
    await checkTakenOver(client, facts);
  });
