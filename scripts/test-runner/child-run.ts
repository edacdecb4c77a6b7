import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const root = new URL("../..", import.meta.url).pathname;

/** Result of a `run-tests.ts` child process. */
export interface TestRunResult {
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly { readonly titles: readonly string[]; readonly place: string }[];
}

/** Runs test files in a child process. Runs all test files if `paths` is empty. The output goes to this process's output. */
export async function runTestsInChild(paths: readonly string[]): Promise<TestRunResult> {
  const directory = mkdtempSync(join(tmpdir(), "test-run-"));
  const json = join(directory, "result.json");
  try {
    const command = [
      "--disable-warning=ExperimentalWarning",
      "scripts/run-tests.ts",
      "--untracked-promises",
      ...["--json", json],
      ...paths,
    ];
    const child = spawn(process.execPath, command, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
    const [code] = await once(child, "exit");
    if (!existsSync(json)) throw new Error(`run-tests.ts exited with ${code} and without a result`);
    const { seconds, passed, failed, failures }: TestRunResult = JSON.parse(readFileSync(json, "utf8"));
    return { seconds, passed, failed, failures };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
