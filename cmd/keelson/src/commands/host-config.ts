import { readFileSync } from "node:fs";
import process from "node:process";
import { createLogger } from "@keelson/base";
import type { Command } from "commander";
import { logLevelOption } from "../options/options.ts";
import { stopSignal } from "../process/stop-signals.ts";

interface HostConfigFlags {
  readonly settings: string;
  readonly directory: string;
  readonly logLevel: string;
}

/**
 * `keelson host-config`: writes the configuration of a machine. Machines of `keelson deploy` run it before the service starts,
 * and every hour.
 */
export function addHostConfig(root: Command): Command {
  return root
    .command("host-config")
    .description(
      "write the configuration files of the service roles that run on this machine. Secrets are read from the key vault",
    )
    .requiredOption(
      "--settings <file>",
      "settings file that cloud-init has written on this machine (required)",
    )
    .requiredOption(
      "--directory <dir>",
      "output directory (required). Each role gets a subdirectory with service.json and the files that service.json references",
    )
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      "\nExample:\n  keelson host-config --settings /etc/keelson/settings.json --directory /etc/keelson",
    )
    .action(run);
}

async function run(flags: HostConfigFlags): Promise<void> {
  const { connectVault, signInAsMachine } = await import("@keelson/azure");
  const { parseHostSettings, prepareHost } = await import("@keelson/deploy");
  const settings = parseHostSettings(readFileSync(flags.settings, "utf8"), flags.settings);
  const { tenantId, identityClientId, vaultUrl, vaultAudience } = settings;
  const logger = createLogger({ level: flags.logLevel });
  const signal = stopSignal(() => logger.info("stopping"));
  const vault = connectVault({
    // All endpoints are the vault's URL, because this command only reads the vault. A managed identity needs no sign-in endpoint.
    environment: { armEndpoint: vaultUrl, loginEndpoint: vaultUrl, audience: vaultAudience },
    credential: signInAsMachine(tenantId, identityClientId),
    vaultUrl,
    audience: vaultAudience,
    logger,
  });
  await prepareHost({ settings, vault, directory: flags.directory, signal });
  process.stdout.write(`${JSON.stringify({ directory: flags.directory })}\n`);
}
