/**
 * Repeats test runs beside busy loops to find tests that depend on timing. Each round appends a row to a file, and a
 * later call resumes after the last row. `--help` lists the options.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { ChildProcesses } from "./child-processes.ts";
import { testDurations } from "./test-runner/durations.ts";

const usage = `Repeats test runs beside busy loops and appends one JSON row for each round.

usage: node scripts/repeat-tests.ts --rows FILE [--suite N] [--slowest COUNT] [--times N] [--busy LOOPS]

  --rows FILE      receives the rows; a second call resumes after the last row
  --suite N        rounds of the complete suite; default: 3
  --slowest COUNT  number of the slowest files, which are repeated apart; default: 100
  --times N        rounds of the slowest files; default: 20
  --busy LOOPS     busy loops beside each round; default: 8

example: node scripts/repeat-tests.ts --rows /var/tmp/repeat.jsonl --suite 1 --times 5
`;

type Kind = "suite" | "slowest";

interface Result {
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly { readonly titles: readonly string[]; readonly place: string }[];
}

interface Row extends Result {
  readonly at: string;
  readonly commit: string;
  readonly kind: Kind;
  readonly busy: number;
}

const root = new URL("..", import.meta.url).pathname;
const options = parseOptions(process.argv.slice(2));
ChildProcesses.supervise();
const loops = Array.from({ length: options.busy }, () =>
  spawn("sh", ["-c", "while :; do :; done"], { stdio: "ignore" }),
);
try {
  await runRounds("suite", options.suite, []);
  await runRounds("slowest", options.times, slowestFiles(options.slowest));
} finally {
  for (const loop of loops) loop.kill("SIGKILL");
}
const failed = rows().reduce((sum, row) => sum + row.failed, 0);
console.log(`${rows().length} rounds in ${options.rows}: ${failed} failed tests`);
process.exitCode = failed === 0 ? 0 : 1;

async function runRounds(kind: Kind, count: number, files: readonly string[]): Promise<void> {
  for (let round = rows().filter((row) => row.kind === kind).length + 1; round <= count; round++) {
    console.log(`${kind}, round ${round} of ${count}`);
    const result = await runTests(files);
    const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      cwd: root,
      encoding: "utf8",
    }).trim();
    const row: Row = { at: new Date().toISOString(), commit, kind, busy: options.busy, ...result };
    appendFileSync(options.rows, `${JSON.stringify(row)}\n`);
    console.log(`${result.seconds} s: ${result.passed} passed, ${result.failed} failed`);
  }
}

/** Runs all files if none are given. */
async function runTests(files: readonly string[]): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), "repeat-"));
  const json = join(directory, "result.json");
  try {
    const command = [
      "--disable-warning=ExperimentalWarning",
      "scripts/run-tests.ts",
      "--untracked-promises",
      "--json",
      json,
      ...files,
    ];
    const child = spawn(process.execPath, command, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
    const [code] = await once(child, "exit");
    if (!existsSync(json)) throw new Error(`run-tests.ts exited with ${code} and without a result`);
    const { seconds, passed, failed, failures }: Result = JSON.parse(readFileSync(json, "utf8"));
    return { seconds, passed, failed, failures };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function slowestFiles(count: number): readonly string[] {
  return Object.entries(testDurations())
    .filter(([file]) => /[^-]test\.ts$/.test(file) && existsSync(join(root, file)))
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([file]) => file);
}

function rows(): readonly Row[] {
  if (!existsSync(options.rows)) return [];
  return readFileSync(options.rows, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function parseOptions(args: readonly string[]) {
  const { values } = parseOrExit(args);
  if (values.help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  if (values.rows === undefined) exit("--rows is missing. Example: --rows /var/tmp/repeat.jsonl");
  const number = (name: "suite" | "slowest" | "times" | "busy") => {
    const value = values[name];
    return /^\d+$/.test(value)
      ? Number(value)
      : exit(`--${name} ${value} is not a number. Example: --${name} 3`);
  };
  return {
    rows: values.rows,
    suite: number("suite"),
    slowest: number("slowest"),
    times: number("times"),
    busy: number("busy"),
  };
}

function parseOrExit(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        rows: { type: "string" },
        suite: { type: "string", default: "3" },
        slowest: { type: "string", default: "100" },
        times: { type: "string", default: "20" },
        busy: { type: "string", default: "8" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    return exit(error instanceof Error ? error.message : String(error));
  }
}

function exit(message: string): never {
  process.stderr.write(`${message}\nRun \`node scripts/repeat-tests.ts --help\` for the options.\n`);
  process.exit(2);
}
