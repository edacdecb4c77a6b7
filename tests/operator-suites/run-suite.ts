import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { spawnBound } from "@keelson/base";
import { TestResults } from "./results.ts";
import type { OperatorSuite } from "./suites.ts";

export interface SuiteRun {
  readonly suite: OperatorSuite;
  /** Kubeconfig of the cluster. Suites read its path from `KUBECONFIG` or `KUBERNETES_CONFIG`. */
  readonly kubeconfig: string;
  /** Regular expression of Go that selects tests by name. Empty: all tests. */
  readonly only: string;
  readonly minutes: number;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Runs all tests of a suite in sequence. Resolves to their results and the exit code of the test program. */
export async function runSuite(run: SuiteRun): Promise<{ results: TestResults; code: number | null }> {
  const { suite, kubeconfig, only, minutes, print, signal } = run;
  const [command, ...args] = suite.program ? [suite.program] : ["go", "test", "-count=1", "."];
  const prefix = suite.program ? "-test." : "-";
  const flags = ["v", "parallel=1", `timeout=${minutes}m`, ...(only === "" ? [] : [`run=${only}`])];
  const child = spawnBound(command ?? "go", [...args, ...flags.map((flag) => prefix + flag)], {
    cwd: suite.directory,
    env: { ...process.env, KUBECONFIG: kubeconfig, KUBERNETES_CONFIG: kubeconfig },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = () => child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  const results = new TestResults();
  const follow = async (stream: NodeJS.ReadableStream | null) => {
    if (!stream) return;
    for await (const line of createInterface(stream)) {
      print(line);
      results.add(line);
    }
  };
  const [[code]] = await Promise.all([once(child, "close"), follow(child.stdout), follow(child.stderr)]);
  signal.removeEventListener("abort", stop);
  return { results, code: typeof code === "number" ? code : null };
}
