import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type ComponentStatus, type RunStatus, writeRunStatus } from "../state/component-status.ts";
import { checkComponents } from "./check-components.ts";

const time = "2026-01-01T00:00:00.000Z";
const component: ComponentStatus = {
  component: "azure",
  process: 12,
  since: time,
  restarts: 0,
  state: "serving",
  log: "/state/azure.log",
};
const run: RunStatus = { process: 11, started: time, components: [component] };

const rows: readonly {
  readonly title: string;
  readonly run: RunStatus;
  readonly holder?: number;
  readonly finds: readonly string[];
}[] = [
  {
    title: "a run that stopped",
    run: { ...run, stopped: time },
    finds: [`ok components: the last run stopped at ${time}`],
  },
  {
    title: "a run that crashed",
    run,
    finds: [
      `warning components: the last run (process 11, started ${time}) exited without stopping: it crashed or was killed`,
    ],
  },
  { title: "a serving component", run, holder: 11, finds: ["ok component azure: serving"] },
  { title: "a run of a different process", run, holder: 99, finds: [] },
  {
    title: "a restarted component",
    run: { ...run, components: [{ ...component, restarts: 2, reason: "exited with SIGKILL" }] },
    holder: 11,
    finds: ["warning component azure: serving (exited with SIGKILL), restarted 2 times"],
  },
  {
    title: "a component that is down",
    run: { ...run, components: [{ ...component, state: "down", reason: "5 exits within 10 minutes" }] },
    holder: 11,
    finds: ["failed component azure: down (5 exits within 10 minutes)"],
  },
  {
    title: "a suspended component",
    run: { ...run, components: [{ ...component, notRespondingSince: time }] },
    holder: 11,
    finds: [`warning component azure: not responding since ${time}`],
  },
];

for (const { title, run: stored, holder, finds } of rows)
  test(`doctor reports ${title}`, async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), "keelson-components-"));
    writeRunStatus(directory.path, stored);
    const found = checkComponents(directory.path, holder);
    assert.deepEqual(
      found.map(({ status, check, summary }) => `${status} ${check}: ${summary}`),
      finds,
    );
    for (const { status, remedy } of found) assert.equal(remedy === undefined, status === "ok");
  });
