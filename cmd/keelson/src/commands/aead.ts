import process from "node:process";
import type { Command } from "commander";
import type { AeadFlags } from "../documents/cluster-document.ts";
import { addConfigOptions } from "../options/service-flags.ts";
import { stopSignal } from "../process/stop-signals.ts";

export function addAead(root: Command): Command {
  const command = root
    .command("aead")
    .description(
      "encrypt a string for an encrypted field of a cluster's database document. Uses the current encryption key of the database",
    )
    .requiredOption("--cluster <resourceId>", "resource ID of the cluster (required)")
    .requiredOption(
      "--path <field>",
      "path of the encrypted field, for example openShiftCluster.properties.sshKey (required)",
    )
    .option("-f, --file <file>", "file with the string (default: standard input)");
  return addConfigOptions(command)
    .addHelpText(
      "after",
      "\nPrints the encrypted value as JSON. The service can decrypt the value only in the field --path of the document of --cluster.",
    )
    .addHelpText(
      "after",
      "\nExample:\n  keelson aead --cluster $ID --path openShiftCluster.properties.sshKey --file ssh.key",
    )
    .action(async (flags: AeadFlags) => {
      const { sealedText } = await import("../documents/cluster-document.ts");
      const { withDatabase } = await import("../state/state-lock.ts");
      const signal = stopSignal(() => undefined);
      process.stdout.write(await withDatabase(flags.state, () => sealedText(flags, signal)));
    });
}
