import process from "node:process";
import type { Command } from "commander";
import { resourceGroupOption } from "../../options/cluster-options.ts";
import { stateOption } from "../../options/options.ts";
import { outputOption } from "../../options/output-option.ts";
import { tableOf } from "../../output/table.ts";
import { stopSignal } from "../../process/stop-signals.ts";
import { RpClient } from "../../rp-client/rp-client.ts";
import { readEndpoints } from "../../state/endpoints.ts";

interface ListFlags {
  readonly state: string;
  readonly resourceGroup?: string;
  readonly output: "table" | "json";
}

export function addClusterList(cluster: Command): void {
  cluster
    .command("list")
    .description("list clusters with their provisioning states")
    .addOption(
      resourceGroupOption("list only the clusters of this resource group (default: all resource groups)"),
    )
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText("after", "\nExamples:\n  keelson cluster list\n  keelson cluster list -g demo -o json")
    .action(run);
}

async function run({ state, resourceGroup, output }: ListFlags): Promise<void> {
  await using client = new RpClient(readEndpoints(state));
  const all = await client.listClusters(stopSignal(() => undefined));
  const group = resourceGroup?.toLowerCase();
  const clusters = all.filter((each) => group === undefined || each.resourceGroup.toLowerCase() === group);
  const rows = clusters.map(({ name, resourceGroup: its, state: provisioning, version }) => [
    name,
    its,
    provisioning,
    version,
  ]);
  process.stdout.write(
    output === "json"
      ? `${JSON.stringify(clusters)}\n`
      : tableOf([["NAME", "RESOURCE GROUP", "STATE", "VERSION"], ...rows]),
  );
}
