import { describe, test } from "node:test";
import { completesInstallAfterKill, completesUpdateAfterKill } from "./testing/kill-stories.ts";

describe("a simulated cluster over a restart", { timeout: 900_000 }, () => {
  for (const pauseMs of [40, 250, 450])
    test(`completes with no machine doubled after kill -9 at ${pauseMs} ms`, () =>
      completesInstallAfterKill(pauseMs));

  for (const pauseMs of [100, 900])
    test(`completes an update after kill -9 at ${pauseMs} ms, with all machines preserved`, () =>
      completesUpdateAfterKill(pauseMs));
});
