import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger, systemClock } from "@keelson/base";
import { KubeError } from "@keelson/kube";
import { type Controller, done } from "./controller.ts";
import { ControllerGroup } from "./controller-group.ts";

/** Runs a reconcile that fails once with each of these errors. Returns the log level of each failure. */
async function levelsOf(errors: readonly Error[]): Promise<readonly string[]> {
  const levels: string[] = [];
  const destination = { write: (line: string) => void levels.push(JSON.parse(line).level) };
  const logger = createLogger({ level: "debug", destination });
  const stop = new AbortController();
  const left = [...errors];
  const controller: Controller<undefined> = {
    name: "failing",
    initialKeys: [{ name: "key" }],
    watches: [],
    async reconcile() {
      const error = left.shift();
      if (error) throw error;
      stop.abort();
      return done;
    },
  };
  await new ControllerGroup([controller], { context: undefined, clock: systemClock, logger }).run(
    stop.signal,
  );
  return levels;
}

test("conflicts of a client and in process are logged at debug level, other failures at higher levels", async () => {
  const conflicts = [
    new KubeError(409, "Conflict", "changed"),
    Object.assign(new Error("changed"), { code: 409 }),
  ];
  assert.deepEqual(await levelsOf(conflicts), ["debug", "debug"]);
  assert.deepEqual(await levelsOf([new KubeError(403, "Forbidden", "no")]), ["warn"]);
});
