import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { assertFinishedStayed, type JournalRow } from "../e2e/support/journal.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import { readJournal } from "../e2e/support/stored-documents.ts";
import { embeddedDocuments } from "../upgrade/documents/embedded-documents.ts";

export interface KillsOptions {
  readonly kills: number;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Kills all processes with `kill -9` at random times during installations.
 * @returns the number of installed clusters
 * @throws AssertionError if an installation fails or a completed step runs again
 */
export async function surviveKills({ kills, report, signal }: KillsOptions): Promise<number> {
  using state = new StateDirectory();
  const documents = embeddedDocuments(state.file("database"));
  const names = Array.from({ length: kills + 1 }, (_, at) => `crash${at}`);
  const flags = ["--no-cluster", "--ports", "auto", "--log-level", "warn", "--subnets-for", ...names];
  const start = async () => {
    const program = Program.start("up", "--state", state.path, ...flags);
    await program.says(/endpoints/);
    return program;
  };
  let program = await start();
  let installed = 0;
  let journal: ReadonlyMap<string, JournalRow> = new Map();
  let installing: string | undefined;
  for (let kill = 0; kill < kills; ) {
    signal.throwIfAborted();
    await using client = new ArmClient(state.file("endpoints.json"));
    if (!installing) {
      installing = names[installed++] ?? "";
      await createCluster(client, installing);
    }
    const killAfterMs = 100 + Math.random() * 2_500;
    const outcome = await Promise.race([client.terminal(installing), delay(killAfterMs, "kill" as const)]);
    if (outcome !== "kill") {
      assert.equal(
        outcome,
        "Succeeded",
        `${installing} after ${kill} kills: ${troubles(state.file("service.log"))}`,
      );
      installing = undefined;
      continue;
    }
    await program.signal("SIGKILL");
    kill++;
    report(`kill ${kill}`);
    const now = await readJournal(documents);
    assertFinishedStayed(journal, now);
    journal = now;
    program = await start();
  }
  await using last = program;
  await using client = new ArmClient(state.file("endpoints.json"));
  for (const name of names.slice(0, installed)) assert.equal(await client.terminal(name), "Succeeded", name);
  await last.signal("SIGTERM");
  assertFinishedStayed(journal, await readJournal(documents));
  return installed;
}

async function createCluster(client: ArmClient, name: string): Promise<void> {
  await client.registerSubscription();
  await client.createCluster(name, "20191231");
}

/** Returns the last warnings and errors in the service's log. */
function troubles(log: string): string {
  const lines = readFileSync(log, "utf8").split("\n");
  return lines
    .filter((line) => /"level":"(warn|error)"/.test(line))
    .slice(-15)
    .join("\n");
}
