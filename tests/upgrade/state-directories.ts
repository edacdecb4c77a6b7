import assert from "node:assert/strict";
import { test } from "node:test";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import type { EarlierVersion } from "./earlier-versions.ts";
import { unpackFixture } from "./fixture.ts";
import { checkTakenOver } from "./taken-over.ts";

/**
 * Defines one test per earlier version. In each test, `keelson up` of the current version opens a state directory that the
 * earlier version wrote.
 */
export function testStateDirectories(versions: readonly EarlierVersion[]): void {
  for (const { name } of versions)
    test(`a state directory of ${name} opens: clusters are unchanged, and interrupted operations complete`, {
      timeout: 900_000,
    }, async () => {
      using state = new StateDirectory();
      using fixture = await unpackFixture(name, state.path);
      await using program = Program.start("up", "--state", state.path, "--ports", "auto", "--no-cluster");
      await program.says(/endpoints/);
      await using client = new ArmClient(state.file("endpoints.json"));
      await checkTakenOver(client, fixture.facts);
      assert.equal(await program.signal("SIGTERM"), 0);
    });
}
