import process from "node:process";
import type { Command } from "commander";
import type { PublishFlags } from "../documents/publish-documents.ts";
import { stopSignal } from "../process/stop-signals.ts";
import { addPublishOptions } from "./update-versions.ts";

export function addUpdateRoleSets(root: Command): Command {
  return addPublishOptions(
    root
      .command("update-role-sets")
      .description("publish the role sets of platform workload identities from an environment variable")
      .addHelpText(
        "after",
        `
Environment:
  PLATFORM_WORKLOAD_IDENTITY_ROLE_SETS  array of role sets with openShiftVersion and platformWorkloadIdentityRoles, as JSON or
                                        base64-encoded JSON

Published role sets that are not in the array are marked as deleting, and deleted one minute later. The service may keep running.`,
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
