import process from "node:process";
import type { Command } from "commander";
import { stopSignal } from "../stop-signals.ts";
import { outputOption } from "./output.ts";
import { addConfigOptions, type ConfigFlags } from "./service-flags.ts";

export interface PublishFlags extends ConfigFlags {
  readonly dryRun?: boolean;
  readonly output: "table" | "json";
}

export function addUpdateVersions(root: Command): Command {
  return addPublishOptions(
    root
      .command("update-versions")
      .description("make the installable versions of OpenShift those of the environment")
      .addHelpText(
        "after",
        `
Environment: OPENSHIFT_VERSIONS, {"DefaultStream": {VERSION: PULLSPEC}, "InstallStreams": {VERSION: PULLSPEC, ...}} with one
default; INSTALLER_IMAGE_DIGESTS, {MINOR: DIGEST}; both JSON, or base64 of it. DST_ACR_NAME, the registry of the
installers (default: of the configuration).

Versions that are absent there are marked as deleting, and gone a minute later. The service may run meanwhile.`,
      ),
  ).action(async (flags: PublishFlags) => {
    const { runUpdateVersions } = await import("../run-publish.ts");
    await runUpdateVersions(
      flags,
      process.env,
      stopSignal(() => undefined),
    );
  });
}

/** The options of commands that publish to the service's database. */
export function addPublishOptions(command: Command): Command {
  return addConfigOptions(command)
    .option("--dry-run", "say what would change, change nothing")
    .addOption(outputOption());
}
