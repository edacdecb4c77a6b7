import process from "node:process";
import type { Command } from "commander";
import type { PublishFlags } from "../documents/publish-documents.ts";
import { outputOption } from "../options/output-option.ts";
import { addConfigOptions } from "../options/service-flags.ts";
import { stopSignal } from "../process/stop-signals.ts";

export function addUpdateVersions(root: Command): Command {
  return addPublishOptions(
    root
      .command("update-versions")
      .description("publish the installable versions of OpenShift from the environment")
      .addHelpText(
        "after",
        `
Environment: OPENSHIFT_VERSIONS, {"DefaultStream": {VERSION: PULLSPEC}, "InstallStreams": {VERSION: PULLSPEC, ...}} with one
default; INSTALLER_IMAGE_DIGESTS, {MINOR: DIGEST}; both JSON, or base64 of it. DST_ACR_NAME, the registry of the
installers (default: of the configuration). MACHINE_IMAGES, {MINOR: IMAGES}, JSON or base64 of it: the object
no-purchase-plan of the release's stream data (default: the published images of 4.16 to 4.21).

Versions that are missing there are marked as deleting and removed a minute later. The service may run meanwhile.`,
      ),
  ).action(async (flags: PublishFlags) => {
    const { runUpdateVersions } = await import("../documents/publish-documents.ts");
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
    .option("--dry-run", "print the changes, and change nothing")
    .addOption(outputOption());
}
