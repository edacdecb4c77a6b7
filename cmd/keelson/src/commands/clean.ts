import { readFileSync } from "node:fs";
import process from "node:process";
import { type AzureClients, azureClouds, connectAzure, isNotFound } from "@keelson/azure";
import { messageOf, Secret, silentLogger, systemClock } from "@keelson/base";
import type { Command } from "commander";
import type { Environment } from "../azure/mirror-environment.ts";
import { purgeRules, reasonToKeep } from "../azure/purge-rules.ts";
import { stateOption } from "../options/options.ts";
import { outputOption } from "../options/output-option.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { Progress } from "../output/progress.ts";
import { tableOf } from "../output/table.ts";
import { stopSignal } from "../process/stop-signals.ts";
import { embedded } from "../state/embedded-defaults.ts";
import { readEndpoints } from "../state/endpoints.ts";

interface CleanFlags {
  readonly state: string;
  /** False if `--no-dry-run` is set. */
  readonly dryRun: boolean;
  readonly output: "table" | "json";
}

export function addClean(root: Command): Command {
  return root
    .command("clean")
    .description("list old resource groups of tests, or delete them with --no-dry-run")
    .option("--dry-run", "list the resource groups without deleting them", true)
    .option("--no-dry-run", "delete the old resource groups")
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
A resource group is old if it was created at least AZURE_PURGE_TTL ago. Its tag createdAt contains the creation time.
The command never deletes a resource group that has no tag createdAt, that has the tag persist, or that is in the built-in list
of protected groups.

Environment:
  AZURE_PURGE_TTL                     minimum age of the resource groups that may be deleted (default: 48h0m0s)
  AZURE_PURGE_CREATED_TAG             name of the tag with the creation time (default: createdAt)
  AZURE_PURGE_RESOURCEGROUP_PREFIXES  comma-separated name prefixes of the resource groups that may be deleted (default: all)
  AZURE_SUBSCRIPTION_ID               if set, the command deletes in this subscription of the real Azure, and requires
                                      AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET. If unset, it deletes in the
                                      simulated Azure of the state directory
  AZURE_ENVIRONMENT                   Azure cloud of AZURE_SUBSCRIPTION_ID (default: AzurePublicCloud)`,
    )
    .addHelpText("after", "\nExamples:\n  keelson clean\n  AZURE_PURGE_TTL=1h keelson clean --no-dry-run")
    .action((flags: CleanFlags) =>
      runClean(
        flags,
        process.env,
        stopSignal(() => undefined),
      ),
    );
}

interface GroupResult {
  readonly name: string;
  readonly outcome: "kept" | "would be deleted" | "deleted" | "failed";
  readonly reason: string;
}

/**
 * Deletes expired groups.
 * @throws CleaningFailed after all deletions were attempted, naming the groups that could not be deleted
 */
async function runClean(flags: CleanFlags, environment: Environment, signal: AbortSignal): Promise<void> {
  const rules = purgeRules(environment);
  const { resources } = azureOf(environment, flags.state);
  using progress = new Progress();
  const results: GroupResult[] = [];
  for await (const group of resources.resourceGroups.list({ abortSignal: signal })) {
    const reason = reasonToKeep(group, rules, systemClock.now());
    const name = group.name ?? "";
    if (reason !== undefined) results.push({ name, outcome: "kept", reason });
    else if (flags.dryRun) results.push({ name, outcome: "would be deleted", reason: "old" });
    else results.push(await remove(resources, name, progress, signal));
  }
  progress.end();
  const rows = results.map(({ name, outcome, reason }) => [name, outcome, reason]);
  process.stdout.write(
    flags.output === "json"
      ? `${JSON.stringify({ dryRun: flags.dryRun, groups: results })}\n`
      : tableOf([["GROUP", "OUTCOME", "REASON"], ...rows]),
  );
  const failed = results.filter(({ outcome }) => outcome === "failed");
  if (failed.length > 0)
    throw cliErrors.CleaningFailed(
      `not deleted: ${failed.map(({ name, reason }) => `${name} (${reason})`).join(", ")}`,
    );
}

async function remove(
  { resourceGroups }: AzureClients["resources"],
  name: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<GroupResult> {
  progress.say(`deleting ${name} ...`);
  try {
    await resourceGroups.delete(name, { abortSignal: signal });
    return { name, outcome: "deleted", reason: "old" };
  } catch (error) {
    signal.throwIfAborted();
    if (isNotFound(error)) return { name, outcome: "deleted", reason: "by another" };
    return { name, outcome: "failed", reason: messageOf(error).slice(0, 300) };
  }
}

/**
 * Connects to Azure if `AZURE_SUBSCRIPTION_ID` is set. If it is unset, connects to the simulated Azure of the instance.
 * @throws SettingMissing naming all unset variables; NotRunning if `AZURE_SUBSCRIPTION_ID` is unset and no instance was started
 */
function azureOf(environment: Environment, state: string): AzureClients {
  const { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET } = environment;
  if (!AZURE_SUBSCRIPTION_ID) {
    const { arm, login, caFile, subscriptionId, tenantId, clientId, clientSecret } = readEndpoints(state);
    return connectAzure({
      environment: {
        armEndpoint: arm,
        loginEndpoint: login,
        audience: embedded.audience,
        caPem: readFileSync(caFile, "utf8"),
      },
      credential: { tenantId, clientId, clientSecret: new Secret(clientSecret) },
      subscriptionId,
      logger: silentLogger,
    });
  }
  const missing = Object.entries({ AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET }).filter(
    ([, value]) => !value,
  );
  if (!AZURE_TENANT_ID || !AZURE_CLIENT_ID || !AZURE_CLIENT_SECRET)
    throw cliErrors.SettingMissing(`unset in the environment: ${missing.map(([name]) => name).join(", ")}`);
  const cloud = azureClouds.find(
    ({ name }) => name === (environment.AZURE_ENVIRONMENT ?? "AzurePublicCloud"),
  );
  if (!cloud)
    throw cliErrors.SettingMissing(
      `AZURE_ENVIRONMENT must be one of ${azureClouds.map(({ name }) => name).join(", ")}`,
    );
  const { armEndpoint, loginEndpoint } = cloud;
  return connectAzure({
    environment: { armEndpoint, loginEndpoint, audience: armEndpoint },
    credential: {
      tenantId: AZURE_TENANT_ID,
      clientId: AZURE_CLIENT_ID,
      clientSecret: new Secret(AZURE_CLIENT_SECRET),
    },
    subscriptionId: AZURE_SUBSCRIPTION_ID,
    logger: silentLogger,
  });
}
