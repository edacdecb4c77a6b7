import process from "node:process";
import type { Command } from "commander";
import type { PublishFlags } from "../documents/publish-documents.ts";
import { stopSignal } from "../process/stop-signals.ts";
import { addPublishOptions } from "./update-versions.ts";

export function addUpdateRoleSets(root: Command): Command {
  return addPublishOptions(
    root
      .command("update-role-sets")
      .description(
        "publish the role sets that an environment variable defines. A role set contains the Azure roles of the platform workload identities for one OpenShift version",
      )
      .addHelpText(
        "after",
        `
Environment:
  PLATFORM_WORKLOAD_IDENTITY_ROLE_SETS  array of role sets as JSON or base64-encoded JSON (required). Each role set has the fields
                                        openShiftVersion and platformWorkloadIdentityRoles

Published role sets that are not in the array are first marked as deleting, and are deleted one minute later.
The service may run during this command.`,
      ),
  )
    .addHelpText(
      "after",
      "\nExample:\n  keelson update-role-sets --config /etc/keelson/service.json --dry-run",
    )
    .action(async (flags: PublishFlags) => {
      const { runUpdateRoleSets } = await import("../documents/publish-documents.ts");
      await runUpdateRoleSets(
        flags,
        process.env,
        stopSignal(() => undefined),
      );
    });
}
