/**
 * `make bench`: prints measurements. In the same run, each benchmark also measures a second program for comparison, for example
 * the original implementation.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import process from "node:process";
import { ChildProcesses } from "../scripts/child-processes.ts";
import { benchApiServer } from "./apiserver/main.ts";
import { benchFleet } from "./fleet.ts";
import { benchHostile, hostileOptions } from "./hostile/main.ts";
import { benchHostileClusters, hostileClustersOptions } from "./hostile-clusters/main.ts";
import { benchIdle, idleOptions } from "./idle.ts";
import { benchKubeApiserverOperator } from "./kube-apiserver-operator.ts";
import { benchMillion } from "./million.ts";
import { benchMonitor, monitorOptions } from "./monitor/main.ts";
import { benchOperator } from "./operator.ts";
import { benchOperatorCache } from "./operator-cache.ts";
import { benchOperatorDay, dayOptions } from "./operator-day.ts";
import { benchOperatorFleet, operatorFleetOptions } from "./operator-fleet.ts";
import { benchOperatorOutage, outageOptions } from "./operator-outage.ts";
import { benchPortal } from "./portal.ts";
import { benchPortalPages } from "./portal-pages.ts";
import { type BenchFile, recordedOptions } from "./published/runs-of-bench-file.ts";
import { benchRetention, retentionOptions } from "./retention.ts";
import { benchRp, rpOptions } from "./rp.ts";
import { benchSamples, samplesOptions } from "./samples.ts";
import { benchService } from "./service.ts";
import { benchSimOpenShift } from "./sim-openshift.ts";
import { benchSimScale, simScaleOptions } from "./sim-scale/main.ts";
import { type BenchPart, parseBenchCommand } from "./support/options.ts";
import { type TableJson, takePrintedTables } from "./support/table.ts";
import { benchTenants, tenantsOptions } from "./tenants.ts";

const parts: Readonly<Record<string, BenchPart & { readonly run: typeof benchHostile }>> = {
  rp: {
    help: "throughput and latency of the ARM API with a PostgreSQL server",
    options: rpOptions,
    run: benchRp,
  },
  million: {
    help: "queries with a million cluster documents in PostgreSQL; CLUSTERS=N sets a different number",
    onlyWhenNamed: true,
    run: benchMillion,
  },
  retention: {
    help: "deletion of expired operations, autovacuum and table sizes with a million operations in PostgreSQL",
    onlyWhenNamed: true,
    options: retentionOptions,
    run: benchRetention,
  },
  fleet: {
    help: "one service process with many clusters; CLUSTERS=N sets the number (default: 1,000)",
    onlyWhenNamed: true,
    run: benchFleet,
  },
  tenants: {
    help: "queue time of operations of 20 subscriptions, while one more subscription fills its queue",
    onlyWhenNamed: true,
    options: tenantsOptions,
    run: benchTenants,
  },
  service: {
    help: "time and memory of the service at start, cluster creation and restart",
    run: benchService,
  },
  apiserver: {
    help: "@keelson/apiserver compared with kube-apiserver from the directory KUBEBUILDER_ASSETS",
    run: () => benchApiServer(),
  },
  operator: {
    help: "the ARO operator on an installed cluster, compared with measurements of the original",
    run: benchOperator,
  },
  "hostile-clusters": {
    help: "effect of hostile clusters on healthy clusters of the same service",
    onlyWhenNamed: true,
    options: hostileClustersOptions,
    run: benchHostileClusters,
  },
  "kube-apiserver-operator": {
    help: "a rollout of the kube-apiserver operator; KUBE_APISERVER_OPERATOR=PROGRAM adds the original operator for comparison",
    run: benchKubeApiserverOperator,
  },
  idle: {
    help: "CPU time and memory of each process of `keelson up` without clients",
    onlyWhenNamed: true,
    options: idleOptions,
    run: benchIdle,
  },
  "operator-cache": {
    help: "the ARO operator in a cluster with 5,000 nodes, pods and machines",
    onlyWhenNamed: true,
    run: benchOperatorCache,
  },
  "operator-fleet": {
    help: "operators of many clusters in one process; CLUSTERS=N sets the number (default: 200)",
    onlyWhenNamed: true,
    options: operatorFleetOptions,
    run: benchOperatorFleet,
  },
  "operator-day": {
    help: "memory and queues of the ARO operator during a simulated day",
    onlyWhenNamed: true,
    options: dayOptions,
    run: benchOperatorDay,
  },
  "operator-outage": {
    help: "the ARO operator while its API server is unreachable, slow or failing",
    onlyWhenNamed: true,
    options: outageOptions,
    run: benchOperatorOutage,
  },
  samples: {
    help: "the samples operator with a complete catalogue, compared with a client that only creates the objects",
    options: samplesOptions,
    run: benchSamples,
  },
  "sim-openshift": {
    help: "durations in a simulated cluster, from its first machine to an update",
    run: benchSimOpenShift,
  },
  "sim-scale": {
    help: "one simulated cluster with many nodes and pods; example: sim-scale --sizes 250x10000,1000x100000 --out rows.jsonl",
    onlyWhenNamed: true,
    options: simScaleOptions,
    run: benchSimScale,
  },
  monitor: {
    help: "one monitor with many clusters, compared with the list requests of the original monitor",
    onlyWhenNamed: true,
    options: monitorOptions,
    run: benchMonitor,
  },
  portal: {
    help: "the portal's kubeconfig proxy compared with a direct connection, and the portal's first page in Chromium",
    async run() {
      await benchPortal();
      await benchPortalPages();
    },
  },
  hostile: {
    help: "effect of hostile requests to one logical cluster on a second logical cluster",
    onlyWhenNamed: true,
    options: hostileOptions,
    run: benchHostile,
  },
};
const command = parseBenchCommand(parts, process.argv.slice(2));
if (command.kind === "help") process.stdout.write(command.text);
else if (command.kind === "wrong") {
  process.stderr.write(command.text);
  process.exitCode = 2;
} else {
  const { json } = command.values;
  const machine = { node: process.versions.node, cores: availableParallelism(), cpu: cpus()[0]?.model ?? "" };
  process.stdout.write(`node ${machine.node}, ${machine.cores} cores, ${machine.cpu}\n\n`);
  ChildProcesses.supervise();
  const results: Record<string, readonly TableJson[]> = {};
  const loads: Record<string, number> = {};
  const options = recordedOptions(process.argv.slice(2));
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  const save = () => {
    const file: BenchFile = {
      date: new Date().toISOString(),
      ...machine,
      memoryGiB,
      options,
      loads,
      results,
    };
    if (json) writeFileSync(json, `${JSON.stringify(file, null, 2)}\n`);
  };
  // Also writes the file before the first benchmark, so that an invalid path is reported immediately.
  save();
  for (const name of command.parts) {
    const [load = 0] = loadavg();
    loads[name] = Math.round(load * 10) / 10;
    await parts[name]?.run(command.values);
    results[name] = takePrintedTables();
    save();
  }
}
