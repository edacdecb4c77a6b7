import process from "node:process";
import { createLogger, Secret, systemClock } from "@keelson/base";
import type { Forecast, Region, Progress as Step } from "@keelson/deploy";
import type { Command } from "commander";
import { parsePositiveDuration } from "../options/go-duration.ts";
import { logLevelOption } from "../options/options.ts";
import { outputOption } from "../options/output-option.ts";
import { Progress } from "../output/progress.ts";
import { tableOf } from "../output/table.ts";
import { buildVersion } from "../process/build-version.ts";
import { stopSignal } from "../process/stop-signals.ts";

interface DeployFlags {
  readonly build: string;
  readonly dryRun?: boolean;
  readonly wait?: number;
  readonly output: "table" | "json";
  readonly logLevel: string;
}

export function addDeploy(root: Command): Command {
  return root
    .command("deploy")
    .description("deploy or upgrade the service in an Azure region")
    .argument("<config>", "file with the configuration of all regions, YAML or JSON")
    .argument("<location>", "Azure region, for example eastus")
    .option("--build <version>", "version to deploy, which is the tag of the service image", buildVersion())
    .option("--dry-run", "print the changes that Azure's what-if operation predicts, without deploying")
    .option(
      "--wait <duration>",
      "time limit for new machines to become healthy, for example 20m (default: 1h for resource provider machines, 40m for gateway machines)",
      parsePositiveDuration,
    )
    .addOption(outputOption())
    .addOption(logLevelOption().default("warn"))
    .addHelpText(
      "after",
      `
If AZURE_CLIENT_ID and AZURE_CLIENT_SECRET are set, the command signs in as this service principal. If one of these variables is
not set, the command signs in with the account of \`az login\`.

When all machines of the --build version are healthy, the command deletes the machines of all other versions.
If machines of the --build version do not become healthy within the time limit, the command deletes all machines of this version
and keeps the machines of the other versions. Exception: if the --build version was already deployed and is the only version,
the command keeps its machines.
After a failure, run the command again to resume at the failed step.

Example: keelson deploy regions.yaml eastus --dry-run
Exit codes: 0 deployed, 1 failed, 2 invalid command line, 130 interrupted.`,
    )
    .action(run);
}

async function run(path: string, location: string, flags: DeployFlags): Promise<void> {
  const { checkVersion, connectRegion, deploy, whatIf, readRegion } = await import("@keelson/deploy");
  checkVersion(flags.build);
  const region = readRegion(path, location);
  const { checkServiceSettings } = await import("../configuration/check-service-settings.ts");
  checkServiceSettings(region, path);
  using progress = new Progress();
  const logger = createLogger({ level: flags.logLevel });
  const signal = stopSignal(() => progress.say("stopping; run it again to resume"));
  const context = connectRegion({
    region,
    version: flags.build,
    credential: await credentialFor(region),
    healthyWithinMs: flags.wait,
    clock: systemClock,
    logger,
    signal,
    report: (step) => show(progress, step),
  });
  if (flags.dryRun === true) {
    const forecast = await whatIf(context);
    process.stdout.write(
      flags.output === "json" ? `${JSON.stringify(forecast)}\n` : tableOf(forecastRows(forecast)),
    );
    return;
  }
  const deployed = await deploy(context);
  process.stdout.write(
    flags.output === "json"
      ? `${JSON.stringify(deployed)}\n`
      : tableOf([
          ["LOCATION", "VERSION", "SCALE SETS", "URL", "PORTAL"],
          [
            deployed.location,
            deployed.version,
            deployed.scaleSets.join(" "),
            deployed.url,
            deployed.portal ?? "none",
          ],
        ]),
  );
}

function show(progress: Progress, { phase, kind, text }: Step): void {
  if (kind === "fact") progress.say(`${phase}: ${text}`);
  else progress.update(`${phase}: ${text}`);
}

/** Returns the table rows of a deployment forecast: the heading, then one row for each expected change. */
export function forecastRows({ templates, retired }: Forecast): readonly (readonly string[])[] {
  return [
    ["TEMPLATE", "GROUP", "CHANGE", "RESOURCE"],
    ...templates.flatMap(({ template, group, changes, notYet }) => {
      if (notYet !== undefined) return [[template, group, "Unknown", notYet]];
      if (changes.length === 0) return [[template, group, "NoChange", ""]];
      return changes.map(({ change, resourceId }) => [
        template,
        group,
        change,
        resourceId.split("/providers/").at(-1) ?? "",
      ]);
    }),
    ...retired.map((name) => ["", "", "Delete", name]),
  ];
}

/** Imports the sign-in library only when it is needed, because the library is large. */
async function credentialFor(region: Region) {
  const { signIn, signInAsAzureCli } = await import("@keelson/azure");
  const { cloudOf } = await import("@keelson/deploy");
  const { AZURE_CLIENT_ID: clientId, AZURE_CLIENT_SECRET: clientSecret } = process.env;
  const tenantId = process.env.AZURE_TENANT_ID ?? region.configuration.fpTenantId;
  if (!clientId || !clientSecret) return signInAsAzureCli(tenantId);
  const principal = { tenantId, clientId, clientSecret: new Secret(clientSecret) };
  return signIn(cloudOf(region.configuration).environment, principal);
}
