import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import { writeCosmos } from "./documents/cosmos-account.ts";
import type { EarlierVersion } from "./earlier-versions.ts";
import { cosmosFile, unpackFixture } from "./fixture.ts";
import { checkTakenOver } from "./taken-over.ts";

/**
 * Defines one test per earlier version. In each test, the current version uses a Cosmos DB account that the earlier version
 * wrote.
 */
export function testCosmosAccounts(versions: readonly EarlierVersion[]): void {
  for (const { name } of versions)
    test(`documents of ${name} in Cosmos DB are unchanged, and interrupted operations complete`, {
      timeout: 900_000,
    }, async () => {
      using state = new StateDirectory();
      using fixture = await unpackFixture(`${name}-cosmos`, state.path);
      const flags = ["--state", state.path, "--ports", "auto", "--cosmos-port", "0"];
      await using world = Program.start("sim", ...flags);
      await world.says(/clusters/);
      await writeCosmos(state.file("service.json"), JSON.parse(readFileSync(state.file(cosmosFile), "utf8")));
      await using provider = Program.start("rp", "--state", state.path);
      await provider.says(/"rp"/);
      await using client = new ArmClient(state.file("endpoints.json"));
      await checkTakenOver(client, fixture.facts);
    });
}
