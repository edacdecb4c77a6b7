import process from "node:process";
import type { Command } from "commander";
import {
  addClusterOptions,
  type ClusterFlags,
  clusterOf,
  dryRunOption,
} from "../../options/cluster-options.ts";
import { plannedText } from "../../output/planned-requests.ts";
import { Progress } from "../../output/progress.ts";
import { stopSignal } from "../../process/stop-signals.ts";
import { clusterPath } from "../../rp-client/cluster-request.ts";
import { describeOperation } from "../../rp-client/ensure-cluster.ts";
import { completedText } from "../../rp-client/report-operation.ts";
import { RpClient, restartMs, unknownCluster } from "../../rp-client/rp-client.ts";
import { readEndpoints } from "../../state/endpoints.ts";

interface DeleteFlags extends ClusterFlags {
  readonly dryRun?: boolean;
  readonly output: "table" | "json";
}

export function addClusterDelete(cluster: Command): void {
  addClusterOptions(
    cluster.command("delete").description("delete a cluster and wait until the deletion is complete"),
  )
    .addOption(dryRunOption())
    .addHelpText(
      "after",
      "\nExamples:\n  keelson cluster delete example\n  keelson cluster delete --resource-group example --name example --dry-run",
    )
    .action(run);
}

/** Deletes a cluster and waits for the operation. @throws UnknownCluster; ClusterFailed with the operation's error */
async function run(argument: string | undefined, flags: DeleteFlags, command: Command): Promise<void> {
  const cluster = clusterOf(argument, flags, command);
  const { name } = cluster;
  const endpoints = readEndpoints(flags.state);
  if (flags.dryRun) {
    const url = `${endpoints.rp}${clusterPath(endpoints.subscriptionId, cluster)}`;
    process.stdout.write(plannedText([{ method: "DELETE", url }], flags.output));
    return;
  }
  const signal = stopSignal(() => undefined);
  await using client = new RpClient(endpoints, { reconnectMs: restartMs });
  using progress = new Progress();
  const url = await client.deleteCluster(cluster, signal);
  if (url === undefined) throw unknownCluster(cluster);
  progress.say(`deleting cluster ${name}`);
  const report = (status: Parameters<typeof describeOperation>[1]) =>
    progress.update(describeOperation(name, status));
  const operation = await client.follow(url, report, signal);
  progress.end();
  process.stdout.write(completedText(name, operation, flags.output));
}
