/** `make chaos`: runs all fault tests at full size. Prints one line per fault. The last line is the result. */
import process from "node:process";
import { ChildProcesses } from "../../scripts/child-processes.ts";
import { crashCases } from "../crashes/crash-case.ts";
import { header, runDrills } from "../drills/run-drills.ts";
import { surviveFaultsOfAzure } from "./clusters-under-faults.ts";
import { surviveComponentCrashes } from "./components-crash.ts";
import { surviveKills } from "./everything-killed.ts";
import { survivePostgresRestarts } from "./postgres-restarts.ts";

ChildProcesses.supervise();
const report = (line: string) => {
  process.stdout.write(`${line}\n`);
};
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
report(`clusters under faults of Azure, SEED=${seed}`);
const lives = await surviveFaultsOfAzure({
  clusters: 18,
  killEveryMs: 12_000,
  seed,
  report,
  signal: AbortSignal.timeout(2_400_000),
});
report(
  `${lives.operations} operations, ${lives.injected} faults and ${lives.kills} kills: all ended well, nothing left in Azure, nothing of others missing`,
);

const kills = 40;
const installed = await surviveKills({ kills, report, signal: AbortSignal.timeout(1_200_000) });
report(`${kills} kills of everything, ${installed} clusters installed, no finished step run twice`);

const crashes = crashCases(1);
await surviveComponentCrashes({
  cases: crashes,
  operators: "shared",
  suspendMs: 30_000,
  reads: { clients: 16, pauseMs: 5, count: 100_000 },
  report,
  signal: AbortSignal.timeout(2_400_000),
});
report(
  `${crashes.length} crashes of processes of \`keelson up\`: nothing acknowledged lost, no finished step run twice`,
);

const restarts = (["kill", "fast", "immediate", "kill", "kill"] as const).flatMap((how) => [how, how]);
const result = await survivePostgresRestarts({
  writers: 200,
  workers: 20,
  restarts,
  everyMs: 3_000,
  report,
  signal: AbortSignal.timeout(1_200_000),
});
const { acknowledged, unknown, leases } = result;
report(
  `${restarts.length} restarts, ${acknowledged} commits acknowledged and none lost, ${unknown} without an answer, ${leases} leases and none doubled, nothing stuck`,
);

report("alerts of faults");
report(header);
const drills = await runDrills({ report, signal: AbortSignal.timeout(3_600_000) });
report(`${drills.length} faults: the alert of each fired, and no other`);
