import process from "node:process";
import type { Command } from "commander";
import type { PublishFlags } from "../documents/publish-documents.ts";
import { stopSignal } from "../process/stop-signals.ts";
import { addPublishOptions } from "./update-versions.ts";

export function addUpdateRoleSets(root: Command): Command {
  return addPublishOptions(
    root
      .command("update-role-sets")
      .description("publish the role sets of managed identities from environment variables")
      .addHelpText(
        "after",
        `
Environment: PLATFORM_WORKLOAD_IDENTITY_ROLE_SETS, a list of role sets with openShiftVersion and
platformWorkloadIdentityRoles; JSON, or base64 of it.

Role sets that the variables omit are marked as deleting and removed a minute later. The service may keep running.`,
      ),
  ).action(async (flags: PublishFlags) => {
    const { runUpdateRoleSets } = await import("../documents/publish-documents.ts");
    await runUpdateRoleSets(
      flags,
      process.env,
      stopSignal(() => undefined),
    );
  });
}
