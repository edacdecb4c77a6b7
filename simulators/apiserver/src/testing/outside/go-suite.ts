import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";

export interface GoOutcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Names of failed tests. */
  readonly failures: readonly string[];
}

/**
 * Runs the tests of a Go package with `assets` as `KUBEBUILDER_ASSETS`. If the directory contains a compiled test program
 * (`NAME.test` of `go test -c`), runs it instead of `go test`. Calls `report` with each output line. Rejects if the tests cannot
 * be started.
 */
export async function runGoPackage(
  directory: string,
  assets: string,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<GoOutcome> {
  const [compiled] = globSync("*.test", { cwd: directory });
  const [command, args] = compiled
    ? [join(resolve(directory), compiled), ["-test.v"]]
    : ["go", ["test", "-count=1", "-v", "."]];
  const child = spawn(command, args, {
    cwd: directory,
    env: { ...process.env, KUBEBUILDER_ASSETS: assets },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  const ended = once(child, "close");
  const lines: string[] = [];
  const follow = async (stream: NodeJS.ReadableStream) => {
    for await (const line of createInterface(stream)) {
      report(line);
      if (isVerdict(line)) lines.push(line);
    }
  };
  const [[code]] = await Promise.all([ended, follow(child.stdout), follow(child.stderr)]);
  const outcome = readGoOutput(lines);
  // A non-zero exit code without failed tests counts as one failure.
  return code === 0 || outcome.failed > 0
    ? outcome
    : { ...outcome, failed: 1, failures: [`${directory}: exit code ${String(code)}`] };
}

const goVerdict = /^\s*--- (PASS|FAIL|SKIP): (\S+)/;
const ginkgoVerdict = /(\d+) Passed.*?(\d+) Failed.*?(?:(\d+) Pending.*?)?(\d+) Skipped/;
const ginkgoFailure = /\[(?:FAIL|PANICKED!|TIMEDOUT)\] (.*)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences set terminal colours.
const colour = /\x1b\[[0-9;]*m/g;

function isVerdict(line: string): boolean {
  const plain = line.replace(colour, "");
  return goVerdict.test(plain) || ginkgoVerdict.test(plain) || ginkgoFailure.test(plain);
}

/** Counts the results of Go's testing package. A Ginkgo suite is only one Go test, so the suite's specs are counted instead. */
export function readGoOutput(lines: readonly string[]): GoOutcome {
  const plain = lines.map((line) => line.replace(colour, ""));
  const ginkgo = plain.flatMap((line) => ginkgoVerdict.exec(line) ?? []).map(Number);
  if (ginkgo.length > 0) {
    const [, passed = 0, failed = 0, , skipped = 0] = ginkgo;
    const failures = plain.flatMap((line) => ginkgoFailure.exec(line)?.[1] ?? []);
    return { passed, failed, skipped, failures: [...new Set(failures)] };
  }
  const verdicts = plain.flatMap((line) => {
    const [, verdict, name] = goVerdict.exec(line) ?? [];
    return verdict && name ? [{ verdict, name }] : [];
  });
  const named = (wanted: string) => verdicts.filter(({ verdict }) => verdict === wanted);
  return {
    passed: named("PASS").length,
    failed: named("FAIL").length,
    skipped: named("SKIP").length,
    failures: named("FAIL").map(({ name }) => name),
  };
}
