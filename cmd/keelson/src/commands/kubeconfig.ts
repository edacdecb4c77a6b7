import process from "node:process";
import { timeLimit } from "@keelson/base";
import type { Command } from "commander";
import { addClusterTarget, type ClusterFlags, clusterOf } from "../options/cluster-options.ts";
import { RpClient } from "../rp-client/rp-client.ts";
import { readEndpoints } from "../state/endpoints.ts";

export function addKubeconfig(root: Command): Command {
  return addClusterTarget(
    root.command("kubeconfig").description("print the admin kubeconfig of a cluster on standard output"),
  )
    .addHelpText(
      "after",
      "\nExamples:\n  keelson kubeconfig demo > demo.kubeconfig\n  keelson kubeconfig -g demo -n demo",
    )
    .action(async (argument: string | undefined, flags: ClusterFlags, command: Command) => {
      const cluster = clusterOf(argument, flags, command);
      await using client = new RpClient(readEndpoints(flags.state));
      const kubeconfig = await client.adminKubeconfig(cluster, timeLimit(30_000));
      process.stdout.write(kubeconfig.endsWith("\n") ? kubeconfig : `${kubeconfig}\n`);
    });
}
