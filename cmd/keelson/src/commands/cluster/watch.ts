import process from "node:process";
import { isTerminal } from "@keelson/arm";
import { systemClock } from "@keelson/base";
import type { Command } from "commander";
import { addClusterOptions, type ClusterFlags, clusterOf } from "../../options/cluster-options.ts";
import { Progress } from "../../output/progress.ts";
import { stopSignal } from "../../process/stop-signals.ts";
import { describeOperation } from "../../rp-client/ensure-cluster.ts";
import { completedText } from "../../rp-client/report-operation.ts";
import { RpClient, restartMs, unknownCluster } from "../../rp-client/rp-client.ts";
import { readEndpoints } from "../../state/endpoints.ts";

interface WatchFlags extends ClusterFlags {
  readonly output: "table" | "json";
}

const pollMs = 500;

export function addClusterWatch(cluster: Command): void {
  addClusterOptions(
    cluster
      .command("watch")
      .description(
        "show the progress of a cluster's newest operation until the operation completes. The exit code is 1 if the operation fails",
      ),
  )
    .addHelpText(
      "after",
      "\nExamples:\n  keelson cluster watch demo\n  keelson cluster watch -g demo -n demo -o json",
    )
    .action(run);
}

/**
 * Reports the newest operation of a cluster until the operation completes.
 * @throws UnknownCluster; ClusterFailed with the operation's error
 */
async function run(argument: string | undefined, flags: WatchFlags, command: Command): Promise<void> {
  const cluster = clusterOf(argument, flags, command);
  const signal = stopSignal(() => undefined);
  await using client = new RpClient(readEndpoints(flags.state), { reconnectMs: restartMs });
  using progress = new Progress();
  for (;;) {
    const operation = await client.newestOperation(cluster, signal);
    if (!operation) throw unknownCluster(cluster);
    progress.update(describeOperation(cluster.name, operation));
    if (isTerminal(operation.status)) {
      progress.end();
      process.stdout.write(completedText(cluster.name, operation, flags.output));
      return;
    }
    await systemClock.sleep(pollMs, signal);
  }
}
