import { test } from "node:test";
import type { CrashCase } from "../crashes/crash-case.ts";
import { surviveComponentCrashes } from "./components-crash.ts";

const cases: readonly CrashCase[] = [
  { victim: "clusters", signal: "SIGABRT", situation: "idle", clusters: 1 },
  { victim: "service", signal: "SIGKILL", situation: "installing", clusters: 1 },
];

test("components of `keelson up` crash under writers and during an installation: no acknowledged write is lost, no finished step runs twice, the installation succeeds", async () => {
  await surviveComponentCrashes({
    cases,
    operators: "none",
    suspendMs: 0,
    reads: { clients: 2, pauseMs: 20, count: 500 },
    report: () => undefined,
    signal: AbortSignal.timeout(900_000),
  });
});
