import type { Command } from "commander";
import { outputOption } from "../options/output-option.ts";
import { addConfigOptions } from "../options/service-flags.ts";
import type { PortalAuthFlags } from "../roles/portal-cookie.ts";

export function addPortalAuth(root: Command): Command {
  const command = root
    .command("portalauth")
    .description("print a sign-in cookie for the portal, valid for one hour")
    .requiredOption("--username <name>", "user name that the portal records in its audit log (required)")
    .requiredOption(
      "--groups <ids>",
      "comma-separated object IDs of the user's groups (required). At least one group must be in `portal.signIn.groups` of the configuration",
      (text: string) => text.split(",").map((each) => each.trim()),
    )
    .addOption(outputOption());
  return addConfigOptions(command)
    .addHelpText(
      "after",
      "\nThe command encrypts the cookie with the first key in `portal.signIn.sessionKeys`. All portals with this key accept the cookie.",
    )
    .addHelpText(
      "after",
      "\nExample:\n  keelson portalauth --username ada@example.com --groups 6f0e8a4c-1111-4222-8333-944455566677",
    )
    .action(async (flags: PortalAuthFlags) => {
      const { printPortalCookie } = await import("../roles/portal-cookie.ts");
      await printPortalCookie(flags);
    });
}
