import { readFileSync } from "node:fs";
import { request } from "undici";
import { ArmClient } from "../tests/e2e/support/arm-client.ts";
import { Program, StateDirectory } from "../tests/e2e/support/program.ts";
import { median } from "./support/median.ts";
import { figure, printTable } from "./support/table.ts";

const installs = 5;

/** Measures the complete service with an embedded database: start, cluster installations with 3 + 3 nodes, memory and restart. */
export async function benchService(): Promise<void> {
  using state = new StateDirectory();
  const names = Array.from({ length: installs }, (_, i) => `bench${i}`);
  const flags = ["--state", state.path, "--no-cluster", "--ports", "auto", "--subnets-for", ...names];
  const firstStart = await up(flags);
  const firstStep: number[] = [];
  const total: number[] = [];
  await using client = new ArmClient(state.file("endpoints.json"));
  await client.registerSubscription();
  const idle = await residentMegabytes(state);
  for (const name of names) {
    const response = await client.createCluster(name);
    const accepted = performance.now();
    for (let started = false; ; ) {
      const url = String(response.headers["azure-asyncoperation"]);
      const operation = await client.progress(url);
      if (!started && operation.properties?.step) {
        started = true;
        firstStep.push(performance.now() - accepted);
      }
      if (operation.status === "Failed") throw new Error(JSON.stringify(operation));
      if (operation.status === "Succeeded") break;
    }
    total.push(performance.now() - accepted);
  }
  const busy = await residentMegabytes(state);
  await firstStart.program.signal("SIGTERM");
  const secondStart = await up(flags);
  await secondStart.program[Symbol.asyncDispose]();
  printTable([
    ["service on embedded defaults", "figure", "unit"],
    ["first start, nothing there", figure(firstStart.ms), "ms"],
    [`start again with ${installs} clusters`, figure(secondStart.ms), "ms"],
    [
      "PUT accepted to first step started, median (upstream polls every 10000)",
      figure(median(firstStep)),
      "ms",
    ],
    ["PUT accepted to Succeeded, 3+3 nodes, median", figure(median(total)), "ms"],
    ["PUT accepted to Succeeded, slowest", figure(Math.max(...total)), "ms"],
    ["resident memory, no cluster", figure(idle), "MB"],
    [`resident memory, ${installs} clusters`, figure(busy), "MB"],
  ]);
}

async function up(flags: readonly string[]) {
  const began = performance.now();
  const program = Program.startUnder([], "up", ...flags);
  await program.says(/endpoints/);
  return { program, ms: performance.now() - began };
}

async function residentMegabytes(state: StateDirectory): Promise<number> {
  const { metrics }: { metrics: string } = JSON.parse(readFileSync(state.file("endpoints.json"), "utf8"));
  const text = await (await request(metrics)).body.text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1e6;
}
