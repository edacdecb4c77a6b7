import { test } from "node:test";
import { crashCases } from "../crashes/crash-case.ts";
import { surviveComponentCrashes } from "./components-crash.ts";

test("each process of `keelson up` is killed, aborted and suspended: no acknowledged write is lost, no finished step runs twice, installations succeed", async () => {
  await surviveComponentCrashes({
    cases: crashCases(1),
    operators: "shared",
    suspendMs: 30_000,
    reads: { clients: 16, pauseMs: 5, count: 100_000 },
    report: console.log,
    signal: AbortSignal.timeout(2_400_000),
  });
});
