import type { Command } from "commander";
import { stopSignal } from "../stop-signals.ts";
import { parseClusterName, stateOption } from "./options.ts";
import { outputOption } from "./output.ts";

export interface ClusterFlags {
  readonly state: string;
  readonly output: "table" | "json";
}

const description = "the cluster; its resource group has the same name";

/** `keelson cluster ...`: clusters of a running instance, through its ARM API. */
export function addCluster(root: Command): Command {
  const cluster = root
    .command("cluster")
    .description('clusters of what "keelson up" runs: create, delete, list, watch');
  const add = (name: string, text: string, run: "createCluster" | "deleteCluster" | "watchCluster") =>
    cluster
      .command(name)
      .description(text)
      .argument("<name>", description, parseClusterName)
      .addOption(stateOption())
      .addOption(outputOption())
      .action(async (clusterName: string, flags: ClusterFlags) => {
        const commands = await import("../run-cluster.ts");
        await commands[run](
          clusterName,
          flags,
          stopSignal(() => undefined),
        );
      });
  add(
    "create",
    "create a cluster with its subnets, follow it to its end, and write its kubeconfig",
    "createCluster",
  );
  add("delete", "delete a cluster, and follow that to its end", "deleteCluster");
  add("watch", "follow the operation under way, or the last one; fails when that failed", "watchCluster");
  cluster
    .command("list")
    .description("list clusters with their states")
    .addOption(stateOption())
    .addOption(outputOption())
    .action(async (flags: ClusterFlags) => {
      const { listClusters } = await import("../run-cluster.ts");
      await listClusters(
        flags,
        stopSignal(() => undefined),
      );
    });
  return cluster;
}
