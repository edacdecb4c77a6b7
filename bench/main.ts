/** `make bench`: prints measurements. Each includes a peer that is measured in the same run for comparison. */
import { availableParallelism, cpus } from "node:os";
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
import { benchRp, rpOptions } from "./rp.ts";
import { benchSamples, samplesOptions } from "./samples.ts";
import { benchService } from "./service.ts";
import { benchSimOpenShift } from "./sim-openshift.ts";
import { type BenchPart, parseBenchCommand } from "./support/options.ts";
import { benchTenants, tenantsOptions } from "./tenants.ts";

const parts: Readonly<Record<string, BenchPart & { readonly run: typeof benchHostile }>> = {
  rp: { help: "the ARM API on a PostgreSQL server", options: rpOptions, run: benchRp },
  million: {
    help: "a million cluster documents on PostgreSQL; CLUSTERS=N for another number",
    onlyWhenNamed: true,
    run: benchMillion,
  },
  fleet: { help: "CLUSTERS=N clusters (1,000) on one service process", onlyWhenNamed: true, run: benchFleet },
  tenants: {
    help: "the wait of operations of 20 subscriptions beside a greedy one",
    onlyWhenNamed: true,
    options: tenantsOptions,
    run: benchTenants,
  },
  service: { help: "start, creation of a cluster, memory, restart", run: benchService },
  apiserver: {
    help: "the embeddable API server beside kube-apiserver, where KUBEBUILDER_ASSETS has it",
    run: () => benchApiServer(),
  },
  operator: {
    help: "the operator on an installed cluster, beside the original's figures",
    run: benchOperator,
  },
  "hostile-clusters": {
    help: "healthy clusters beside hostile ones",
    onlyWhenNamed: true,
    options: hostileClustersOptions,
    run: benchHostileClusters,
  },
  "kube-apiserver-operator": {
    help: "a rollout of the kube-apiserver operator, beside the original where KUBE_APISERVER_OPERATOR names its program",
    run: benchKubeApiserverOperator,
  },
  idle: {
    help: "CPU time and memory of each process of `keelson up` without clients",
    onlyWhenNamed: true,
    options: idleOptions,
    run: benchIdle,
  },
  "operator-cache": {
    help: "the operator with 5,000 nodes, pods and machines",
    onlyWhenNamed: true,
    run: benchOperatorCache,
  },
  "operator-fleet": {
    help: "CLUSTERS=N clusters (200) with their operators in one process",
    onlyWhenNamed: true,
    options: operatorFleetOptions,
    run: benchOperatorFleet,
  },
  "operator-day": {
    help: "a day of the operator on a clock that is moved",
    onlyWhenNamed: true,
    options: dayOptions,
    run: benchOperatorDay,
  },
  "operator-outage": {
    help: "the operator while its API server is gone, slow or failing",
    onlyWhenNamed: true,
    options: outageOptions,
    run: benchOperatorOutage,
  },
  samples: {
    help: "the samples operator with a whole catalogue, beside a client that only creates its objects",
    options: samplesOptions,
    run: benchSamples,
  },
  "sim-openshift": {
    help: "a simulated cluster, from its first machine to an update",
    run: benchSimOpenShift,
  },
  monitor: {
    help: "one monitor over many clusters, beside the lists of the original",
    onlyWhenNamed: true,
    options: monitorOptions,
    run: benchMonitor,
  },
  portal: {
    help: "the portal's kubeconfig proxy beside a direct connection; its first page in Chromium",
    async run() {
      await benchPortal();
      await benchPortalPages();
    },
  },
  hostile: {
    help: "a quiet logical cluster beside hostile requests of another",
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
  process.stdout.write(
    `node ${process.versions.node}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? ""}\n\n`,
  );
  ChildProcesses.supervise();
  for (const name of command.parts) await parts[name]?.run(command.values);
}
