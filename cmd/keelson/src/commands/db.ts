import process from "node:process";
import type { Command } from "commander";
import type { DbGetFlags } from "../documents/cluster-document.ts";
import { addConfigOptions } from "../options/service-flags.ts";
import { stopSignal } from "../process/stop-signals.ts";

/** `keelson db ...`: commands for operators of the service's database. */
export function addDb(root: Command): Command {
  const db = root.command("db").description("read documents from the service's database");
  const get = db
    .command("get")
    .description("print the database document of a cluster as JSON")
    .argument("<resourceId>", "resource ID of the cluster, case-insensitive")
    .option("--show-secrets", "decrypt secrets (default: secrets are printed as [REDACTED])");
  addConfigOptions(get)
    .addHelpText(
      "after",
      '\nIf the database is embedded, stop the running instance with "keelson down" first.',
    )
    .addHelpText("after", "\nExample:\n  keelson db get $ID --config /etc/keelson/service.json")
    .action(async (resourceId: string, flags: DbGetFlags) => {
      const { clusterDocumentText } = await import("../documents/cluster-document.ts");
      const { withDatabase } = await import("../state/state-lock.ts");
      const signal = stopSignal(() => undefined);
      process.stdout.write(
        await withDatabase(flags.state, () => clusterDocumentText(resourceId, flags, signal)),
      );
    });
  return db;
}
