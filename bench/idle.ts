import { join } from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { processTree, proportionalMib } from "../scripts/process-table.ts";
import { Program, StateDirectory } from "../tests/e2e/support/program.ts";
import { InspectedProcess } from "./support/inspected-process.ts";
import { type BenchOption, optionReader } from "./support/options.ts";
import { figure, printTable } from "./support/table.ts";

export const idleOptions = {
  settle: {
    value: "MINUTES",
    help: "minutes between the creation of the cluster and the measurement",
    least: 0,
    initial: "10",
  },
  minutes: { value: "MINUTES", help: "duration of the measurement, in minutes", least: 0, initial: "10" },
  profile: {
    value: "SECONDS",
    help: "duration of the CPU profile of each process, in seconds; needs PROFILE=DIR",
    least: 1,
    initial: "60",
  },
  operators: { value: "MODE", help: "value of --operators of `keelson up`", initial: "auto" },
} satisfies Record<string, BenchOption>;

const program = new URL("../keelson", import.meta.url).pathname;
const startLimitMs = 3_600_000;

/** Measures the CPU time and memory of each process of `keelson up` with one cluster and no clients. */
export async function benchIdle(given: Readonly<Record<string, string>>): Promise<void> {
  const option = optionReader(idleOptions, given);
  using state = new StateDirectory();
  const flags = ["--state", state.path, "--ports", "auto", "--operators", option("operators")];
  // Starts the program through its launcher script, as a user does, because the script sets environment variables.
  await using up = Program.startCommand(program, "up", ...flags);
  await up.says(/endpoints/, startLimitMs);
  await delay(Number(option("settle")) * 60_000);
  const root = up.child.pid ?? 0;
  const before = new Map(processTree(root).map((each) => [each.pid, each]));
  const startedMs = performance.now();
  await delay(Number(option("minutes")) * 60_000);
  const elapsedMs = performance.now() - startedMs;
  const rows = processTree(root).map(({ pid, role, cpuMs, endedChildrenMs }) => {
    // If a child process exits during the measurement, its CPU time is counted for its parent process.
    const first = before.get(pid);
    const usedMs = cpuMs + endedChildrenMs - (first ? first.cpuMs + first.endedChildrenMs : 0);
    return { pid, role, cpu: (usedMs / elapsedMs) * 100, mib: proportionalMib(pid) };
  });
  const sum = (name: "cpu" | "mib") => rows.reduce((total, each) => total + each[name], 0);
  printTable([
    [`idle for ${option("minutes")} min, one cluster`, "CPU %", "Pss MiB"],
    ...rows.map(({ role, cpu, mib }) => [role, figure(cpu), figure(mib)]),
    [`${rows.length} processes`, figure(sum("cpu")), figure(sum("mib"))],
    ["goal", "1", "600"],
  ]);
  const { PROFILE } = process.env;
  if (!PROFILE) return;
  for (const { pid, role } of rows) {
    await using inspected = await InspectedProcess.connect(pid);
    const file = join(PROFILE, `${role.replace(/\W+/g, "-")}-${pid}.cpuprofile`);
    await inspected.profileUntil(delay(Number(option("profile")) * 1_000), file);
    process.stdout.write(`${file}: live ${figure(await inspected.liveMib())} MiB\n`);
  }
}
