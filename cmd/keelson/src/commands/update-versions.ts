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
      .description("publish the installable OpenShift versions that environment variables define")
      .addHelpText(
        "after",
        `
Environment (JSON or base64-encoded JSON, except for DST_ACR_NAME):
  OPENSHIFT_VERSIONS       {"DefaultStream": {VERSION: PULLSPEC}, "InstallStreams": {VERSION: PULLSPEC, ...}} (required).
                           DefaultStream has exactly one version.
  INSTALLER_IMAGE_DIGESTS  {MINOR: DIGEST}: digest of the installer image for each minor version (required)
  DST_ACR_NAME             Azure Container Registry with the installer images (default: \`containerRegistry\` in the configuration)
  MACHINE_IMAGES           {MINOR: {"hyperVGen1": IMAGE, "hyperVGen2": IMAGE}}: RHCOS images for each minor version. One of the
                           two IMAGE fields is sufficient. To get the value of a MINOR, copy the object "no-purchase-plan" unchanged
                           from the RHCOS stream data of any release of this minor version
                           (default: the published images of 4.16 to 4.21)

Published versions that are not in OPENSHIFT_VERSIONS are first marked as deleting, and are deleted one minute later.
The service may run during this command.`,
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
