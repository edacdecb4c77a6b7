import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { type RunStatus, writeRunStatus } from "../state/component-status.ts";
import { checkComponents } from "./check-components.ts";
import { checkNode } from "./check-node.ts";
import { checkState } from "./check-state.ts";
import { compareClocks } from "./clock-skew.ts";
import type { Finding } from "./finding.ts";
import { portOwner } from "./port-owner.ts";

const time = new Date("2026-01-01T00:00:00Z");
const later = (seconds: number) => new Date(time.getTime() + seconds * 1_000);

function component(
  change: Partial<RunStatus["components"][number]>,
): (directory: string) => readonly Finding[] {
  return (directory) => {
    const one = {
      component: "azure",
      process: 12,
      since: time.toISOString(),
      restarts: 0,
      state: "serving" as const,
      log: "/state/azure.log",
      ...change,
    };
    writeRunStatus(directory, { process: 11, started: time.toISOString(), components: [one] });
    return checkComponents(directory, 11);
  };
}

/** Checks that need neither a database nor Azure. `doctor.test.ts` covers the suggested commands of all other findings. */
const rows: readonly (readonly [string, (directory: string) => readonly Finding[], RegExp])[] = [
  ["an unsupported Node.js", () => [checkNode("22.1.0")], /^\.\/keelson doctor$/],
  ["a Node.js with a known defect", () => [checkNode("24.16.0")], /^node --version$/],
  ["a clock that is ahead", () => [compareClocks("Azure", time, later(10))], /^timedatectl /],
  ["a clock that is far behind", () => [compareClocks("Azure", later(100), time)], /^timedatectl /],
  ["a component that is down", component({ state: "down" }), /^tail -n 100 \/state\/azure\.log$/],
  ["a component that waits", component({ state: "waiting" }), /^tail /],
  ["a component that was restarted", component({ restarts: 2 }), /^tail /],
  ["a component that does not respond", component({ notRespondingSince: time.toISOString() }), /^tail /],
  [
    "a crashed run",
    (directory) => {
      component({})(directory);
      return checkComponents(directory, undefined);
    },
    /^keelson up --state \//,
  ],
  [
    "damaged files of the state directory",
    (directory) => {
      writeFileSync(join(directory, "secrets.json"), "{");
      return checkState(directory).filter(({ check }) => check === "state files");
    },
    /^ls -la \//,
  ],
];

for (const [title, find, command] of rows)
  test(`doctor prints the cause and the next command: ${title}`, () => {
    using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-doctor-"));
    const [finding, ...others] = find(directory.path);
    assert.deepEqual(others, []);
    assert.ok(
      finding && (finding.status === "warning" || finding.status === "failed"),
      JSON.stringify(finding),
    );
    assert.notEqual(finding.summary, "");
    assert.notEqual(finding.remedy ?? "", "");
    assert.match(finding.command ?? "", command);
  });

test("the owner of a port has the name of its program", { skip: process.platform !== "linux" }, async (t) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = server.address();
  const owner = portOwner(typeof address === "object" && address ? address.port : 0);
  assert.equal(owner?.pid, process.pid);
  assert.match(basename(owner?.name ?? ""), /^[\w.-]{1,15}$/);
});
