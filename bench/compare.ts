/**
 * `make bench-compare`: runs a benchmark alternately in a checkout of a base commit and in this checkout, and prints the ratio of
 * each figure. Alternating runs keep the ratio right if the speed of the machine drifts. `--help` lists the options.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { ChildProcesses } from "../scripts/child-processes.ts";
import { optionsOrExit } from "../scripts/command-options.ts";
import { git, tryGit } from "../scripts/git/git.ts";
import { compareRounds, parseFigures, type Round } from "./support/compare-tables.ts";
import { figure, printTable } from "./support/table.ts";

const root = join(import.meta.dirname, "..");
const values = optionsOrExit({
  script: "bench/compare.ts",
  description:
    "Runs a benchmark in turn at a base commit and in this checkout, and prints the ratio of each figure.",
  options: {
    base: { value: "REF", help: "commit to compare with", initial: "main" },
    part: { value: "PART", help: "benchmark, see `node bench/main.ts --help`", initial: "rp" },
    rounds: { value: "N", help: "number of runs of each checkout", least: 1, initial: "3" },
    args: { value: "TEXT", help: "options of the benchmark, separated by spaces", initial: "" },
  },
  example: "--base HEAD~1 --part rp --args='--only GET'",
});
const { base = "", part = "", args = "" } = values;
const count = Math.floor(Number(values.rounds));
const commit = tryGit(root, "rev-parse", "--verify", "--quiet", `${base}^{commit}`);
if (!commit) refuse(`--base REF is a commit, branch or tag of this repository, not ${JSON.stringify(base)}.`);
const words = [...part.split(/\s+/), ...args.split(/\s+/)].filter((word) => word !== "");
const directory = mkdtempSync(join(tmpdir(), "keelson-bench-compare-"));
// PostgreSQL runs as a different user if this script runs as root.
chmodSync(directory, 0o755);
const checkout = join(directory, "base");
const removeCheckout = () => {
  tryGit(root, "worktree", "remove", "--force", checkout);
  rmSync(directory, { recursive: true, force: true });
};
ChildProcesses.supervise(removeCheckout);
try {
  console.log(`checks out ${base} (${commit.slice(0, 9)}) and installs its packages`);
  git(root, "worktree", "add", "--detach", "--quiet", checkout, commit);
  await run("make", ["--silent", "node_modules/.keelson-installed"], checkout);
  const rounds: Round[] = [];
  for (let round = 1; round <= count; round++) {
    console.log(`round ${round} of ${count}`);
    rounds.push({ base: parseFigures(await bench(checkout)), head: parseFigures(await bench(root)) });
  }
  const rows = compareRounds(rounds).map(({ name, base, head, ratio, least, most }) => [
    name,
    ...[base, head, ratio, least, most].map(figure),
  ]);
  printTable([[`${part}, ${count} rounds`, "base", "this checkout", "ratio", "lowest", "highest"], ...rows]);
} finally {
  removeCheckout();
}

function bench(folder: string): Promise<string> {
  return run(process.execPath, ["--disable-warning=ExperimentalWarning", "bench/main.ts", ...words], folder);
}

/** Returns the standard output. */
async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} in ${cwd} exited with ${code}`);
  return output;
}

function refuse(problem: string): never {
  process.stderr.write(`${problem} Example: node bench/compare.ts --base HEAD~1 --part rp\n`);
  process.exit(2);
}
