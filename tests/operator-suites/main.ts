/** `make conformance-operators`: runs upstream test suites of operators against a simulated cluster. `--help` lists the options. */
import { writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import process from "node:process";
import { printTable } from "../../bench/support/table.ts";
import { optionsOrExit } from "../../scripts/command-options.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import { tableOf } from "./results.ts";
import { runSuite } from "./run-suite.ts";
import { findSuites } from "./suites.ts";

const command = {
  script: "tests/operator-suites/main.ts",
  description: "Runs unmodified end-to-end suites of operators (Go packages) against a simulated cluster.",
  options: {
    suites: {
      value: "DIRS",
      help: "directories of Go packages with tests, separated by spaces. A compiled program *.test in a directory runs instead of go test",
      initial: "",
    },
    kubeconfig: { value: "FILE", help: "use this cluster instead of a new one", initial: "" },
    only: { value: "REGEXP", help: "run only tests with matching names", initial: "" },
    minutes: { value: "N", help: "maximum duration of a suite", least: 1, initial: "60" },
  },
  example: "--suites /src/cluster-samples-operator/test/e2e",
};
const values = optionsOrExit(command, process.argv.slice(2));
const directories = (values.suites ?? "").split(/\s+/).filter((each) => each !== "");
const found = findSuites(directories);
const problem = "problem" in found ? found.problem : directories.length === 0 ? "No suite." : "";
if (problem !== "" || "problem" in found) {
  process.stderr.write(`${problem} Example: node ${command.script} ${command.example}\n`);
  process.exit(2);
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
const print = (line: string) => process.stdout.write(`${line}\n`);

/** Kubeconfig of a new cluster. `down` stops its instance. */
async function startCluster(): Promise<{ readonly kubeconfig: string; readonly down: () => Promise<void> }> {
  const state = new StateDirectory();
  const down = async () => {
    await Program.run("down", "--state", state.path);
    state[Symbol.dispose]();
  };
  try {
    const options = ["--ports", "auto", "--operators", "shared", "--without", "monitor", "portal", "console"];
    const up = await Program.run("up", "--detach", "--cluster", "demo", "--state", state.path, ...options);
    if (up.code !== 0) throw new Error(`keelson up: exit code ${up.code}\n${up.stderr}`);
    const { stdout } = await Program.run("kubeconfig", "demo", "--state", state.path);
    const kubeconfig = state.file("suites.kubeconfig");
    writeFileSync(kubeconfig, stdout, { mode: 0o600 });
    return { kubeconfig, down };
  } catch (error) {
    await down();
    throw error;
  }
}

const given = values.kubeconfig ?? "";
const cluster = given === "" ? await startCluster() : { kubeconfig: given, down: async () => undefined };
const { kubeconfig } = cluster;
const tables: (() => void)[] = [];
try {
  for (const suite of found.suites) {
    if (stop.signal.aborted) break;
    const options = { only: values.only ?? "", minutes: Number(values.minutes), print, signal: stop.signal };
    const { results, code } = await runSuite({ suite, kubeconfig, ...options });
    const name = `${basename(dirname(suite.directory))}/${basename(suite.directory)}`;
    tables.push(() => {
      printTable(tableOf(name, results.all));
      const counts = (["PASS", "FAIL", "SKIP", "INCOMPLETE"] as const).map(
        (verdict) => `${results.count(verdict)} ${verdict}`,
      );
      print(`${suite.directory}: ${counts.join(", ")}, exit code ${code ?? "none"}\n`);
    });
    if (code !== 0) process.exitCode = 1;
  }
} finally {
  await cluster.down();
}
for (const table of tables) table();
