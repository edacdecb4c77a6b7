import process from "node:process";
import { type Clock, numberAt, systemClock } from "@keelson/base";
import type { Command } from "commander";
import {
  addClusterOptions,
  type ClusterFlags,
  clusterOf,
  dryRunOption,
  integerFrom,
} from "../../options/cluster-options.ts";
import { cliErrors } from "../../output/cli-errors.ts";
import { plannedText } from "../../output/planned-requests.ts";
import { Progress } from "../../output/progress.ts";
import { stopSignal } from "../../process/stop-signals.ts";
import { AdminObjects } from "../../rp-client/admin-objects.ts";
import { RpClient, restartMs } from "../../rp-client/rp-client.ts";
import {
  nameOf,
  scaledMachineSets,
  workerMachineSets,
  workersOf,
} from "../../rp-client/worker-machine-sets.ts";
import { readEndpoints } from "../../state/endpoints.ts";

interface ScaleFlags extends ClusterFlags {
  readonly workerCount: number;
  readonly wait: boolean;
  readonly dryRun?: boolean;
  readonly output: "table" | "json";
}

const pollMs = 1_000;
/** Maximum time without progress, in ms. Progress is a change in the number of ready or existing workers. */
const stalledMs = 900_000;

export function addClusterScale(cluster: Command): void {
  addClusterOptions(
    cluster
      .command("scale")
      .description("change the number of workers of a cluster, and wait until all workers are ready"),
  )
    .requiredOption("--worker-count <n>", "new number of workers, 2 to 250 (required)", integerFrom(2, 250))
    .option("--no-wait", "exit without waiting until the workers are ready")
    .addOption(dryRunOption())
    .addHelpText(
      "after",
      `
Most versions of the ARM API cannot change the workers of an existing cluster (only 2019-12-31-preview can). The command therefore
changes the replicas of the cluster's worker MachineSets. It distributes the workers evenly among the MachineSets.

Examples:
  keelson cluster scale demo --worker-count 6
  keelson cluster scale -g demo -n demo --worker-count 4 --dry-run`,
    )
    .action(run);
}

async function run(argument: string | undefined, flags: ScaleFlags, command: Command): Promise<void> {
  const cluster = clusterOf(argument, flags, command);
  const signal = stopSignal(() => undefined);
  const endpoints = readEndpoints(flags.state);
  await using client = new RpClient(endpoints, { reconnectMs: restartMs });
  await client.cluster(cluster, signal);
  const objects = new AdminObjects(client, cluster);
  const before = await workerMachineSets(objects, signal);
  if (before.length === 0)
    throw cliErrors.ClusterFailed(
      `cluster ${cluster.name} has no worker MachineSets, so it cannot be scaled.`,
    );
  const changed = scaledMachineSets(before, flags.workerCount);
  if (flags.dryRun) {
    const url = `${endpoints.rp}${objects.replacePath}`;
    const plan = changed.map((body) => ({ method: "POST" as const, url, body }));
    process.stdout.write(plannedText(plan, flags.output));
    return;
  }
  for (const each of changed) await objects.replace(each, signal);
  if (flags.wait) await untilReady(objects, flags.workerCount, cluster.name, systemClock, signal);
  const machineSets = (await workerMachineSets(objects, signal)).map((each) => ({
    name: nameOf(each),
    replicas: numberAt(each, "spec", "replicas") ?? 0,
    readyReplicas: numberAt(each, "status", "readyReplicas") ?? 0,
  }));
  const { name } = cluster;
  process.stdout.write(
    flags.output === "json"
      ? `${JSON.stringify({ name, workerCount: flags.workerCount, machineSets })}\n`
      : `${name} has ${machineSets.reduce((sum, each) => sum + each.readyReplicas, 0)} of ${flags.workerCount} workers ready\n`,
  );
}

/**
 * Waits until all workers are ready and removed workers are gone.
 * @throws ClusterFailed if the numbers of ready and existing workers stop changing
 */
async function untilReady(
  objects: AdminObjects,
  count: number,
  name: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  using progress = new Progress();
  let last = "";
  let changedMs = clock.monotonicMs();
  for (;;) {
    const { ready, existing } = workersOf(await workerMachineSets(objects, signal));
    if (ready === count && existing === count) return;
    const current = `${ready} of ${count} workers ready, ${existing} exist`;
    if (current !== last) changedMs = clock.monotonicMs();
    else if (clock.monotonicMs() - changedMs > stalledMs)
      throw cliErrors.ClusterFailed(
        `cluster ${name} has ${current}, without a change for ${stalledMs / 60_000} minutes. Run "keelson cluster logs ${name}" to find the cause.`,
      );
    last = current;
    progress.update(`${name}: ${current}`);
    await clock.sleep(pollMs, signal);
  }
}
