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
      .description("publish the installable OpenShift versions from environment variables")
      .addHelpText(
        "after",
        `
Environment (JSON, or base64-encoded JSON):
  OPENSHIFT_VERSIONS       {"DefaultStream": {VERSION: PULLSPEC}, "InstallStreams": {VERSION: PULLSPEC, ...}}.
                           DefaultStream has exactly one version.
  INSTALLER_IMAGE_DIGESTS  {MINOR: DIGEST}: digest of the installer image for each minor version
  DST_ACR_NAME             registry of the installer images (default: containerRegistry of the configuration)
  MACHINE_IMAGES           {MINOR: IMAGES}: RHCOS images for each minor version. IMAGES is the object "no-purchase-plan" in the
                           RHCOS stream data of the OpenShift release (default: published images of 4.16 to 4.21)

Published versions that are not in OPENSHIFT_VERSIONS are marked as deleting, and deleted one minute later. The service may keep
running.`,
      ),
  )
    .addHelpText(
      "after",
      "\nExample:\n  keelson update-versions --config /etc/keelson/service.json --dry-run",
    )
    .action(async (flags: PublishFlags) => {
      const { runUpdateVersions } = await import("../documents/publish-documents.ts");
      await runUpdateVersions(
        flags,
        process.env,
        stopSignal(() => undefined),
      );
    });
}

/** Adds the options of commands that publish documents to the service's database. */
export function addPublishOptions(command: Command): Command {
  return addConfigOptions(command)
    .option("--dry-run", "print the changes without applying them")
    .addOption(outputOption());
}
