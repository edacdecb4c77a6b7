import process from "node:process";
import type { Command } from "commander";
import type { AeadFlags } from "../documents/cluster-document.ts";
import { addConfigOptions } from "../options/service-flags.ts";
import { stopSignal } from "../process/stop-signals.ts";

export function addAead(root: Command): Command {
  const command = root
    .command("aead")
    .description("encrypt a text with the database's current key, for one member of one cluster's document")
    .requiredOption("--cluster <resourceId>", "resource ID of the cluster")
    .requiredOption("--path <member>", "for example openShiftCluster.properties.sshKey")
    .option("-f, --file <file>", "the text (default: standard input)");
  return addConfigOptions(command)
    .addHelpText(
      "after",
      "\nPrints what is stored there, as JSON. It opens nowhere else: its place in the database is part of the encryption.",
    )
    .action(async (flags: AeadFlags) => {
      const { sealedText } = await import("../documents/cluster-document.ts");
      const { withDatabase } = await import("../state/state-lock.ts");
      const signal = stopSignal(() => undefined);
      process.stdout.write(await withDatabase(flags.state, () => sealedText(flags, signal)));
    });
}
