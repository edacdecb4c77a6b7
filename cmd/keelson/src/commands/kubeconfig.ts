import process from "node:process";
import { timeLimit } from "@keelson/base";
import type { Command } from "commander";
import { parseClusterName, stateOption } from "../options/options.ts";
import { RpClient } from "../rp-client/rp-client.ts";
import { readEndpoints } from "../state/endpoints.ts";

export function addKubeconfig(root: Command): Command {
  return root
    .command("kubeconfig")
    .description("print the admin kubeconfig of a cluster on standard output")
    .argument("<name>", "name of the cluster", parseClusterName)
    .option("-g, --resource-group <name>", "resource group of the cluster (default: name of the cluster)")
    .addOption(stateOption())
    .action(async (name: string, flags: { state: string; resourceGroup?: string }) => {
      await using client = new RpClient(readEndpoints(flags.state));
      const kubeconfig = await client.adminKubeconfig(name, flags.resourceGroup ?? name, timeLimit(30_000));
      process.stdout.write(kubeconfig.endsWith("\n") ? kubeconfig : `${kubeconfig}\n`);
    });
}
