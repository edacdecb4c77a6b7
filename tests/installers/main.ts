/** `make test-installers`: runs the real installers on the simulation. `--help` lists the options. */
import process from "node:process";
import { printTable } from "../../bench/support/table.ts";
import { ChildProcesses } from "../../scripts/child-processes.ts";
import { optionsOrExit } from "../../scripts/command-options.ts";
import { runWithHive } from "./hive-run.ts";
import type { CaseResult } from "./install-case.ts";
import { enterNetworkNamespace, inside } from "./network-namespace.ts";
import { findPrograms } from "./programs.ts";
import {
  createStateDirectory,
  removeStateDirectory,
  runInProduction,
  runWithConfigurations,
} from "./runs.ts";
import { tableOf } from "./table.ts";

const args = process.argv.slice(2);
const command = {
  script: "tests/installers/main.ts",
  description:
    "Installs clusters in the simulated world with the unmodified ARO installer and Hive. Linux only.",
  options: {
    installer: { value: "FILE", help: "ARO's installer: /bin/openshift-install from its image", initial: "" },
    only: {
      value: "TEXT",
      help: 'run only cases with this string in their name, for example "development"',
      initial: "",
    },
    hive: {
      value: "DIRECTORY",
      help: "directory with Hive's programs manager and hiveutil, and with its CRDs in crds/",
      initial: "",
    },
  },
  example: "--installer /opt/aro/openshift-install --hive /opt/hive",
};
const inner = args.filter((each) => each !== inside);
const values = optionsOrExit(command, inner);
const programs = findPrograms(values.installer ?? "", values.hive ?? "");
if ("problem" in programs) {
  process.stderr.write(`${programs.problem} Example: node ${command.script} ${command.example}\n`);
  process.exit(2);
}
const { installer, hive } = programs;
if (installer === undefined) {
  const missing = hive ? "INSTALLER" : "INSTALLER and HIVE";
  process.stdout.write(
    `skipped: ${missing} not set. Usage: make test-installers INSTALLER=FILE HIVE=DIRECTORY\n`,
  );
  process.exit(0);
}
await enterNetworkNamespace(args);

const results: CaseResult[] = [];
const onResult = (result: CaseResult) => {
  results.push(result);
  for (const problem of result.problems) console.log(`${result.name}: ${problem}`);
  printTable(tableOf([result]));
};
const directory = createStateDirectory();
ChildProcesses.supervise(() => removeStateDirectory(directory));
const run = {
  directory,
  installer,
  includes: (name: string) => name.includes(values.only ?? ""),
  onResult,
  signal: AbortSignal.timeout(3_600_000),
};
const differences = await runInProduction(run);
for (const each of differences) console.log(each);
await runWithConfigurations(run);
if (hive) await runWithHive(run, hive);
printTable(tableOf(results));
const passed = results.filter(({ problems }) => problems.length === 0);
const failures = results.length - passed.length + differences.length;
if (hive === undefined) console.log("skipped: HIVE not set");
if (failures === 0) removeStateDirectory(directory);
else console.log(`The logs are in ${directory}.`);
console.log(`${passed.length} passed, ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
