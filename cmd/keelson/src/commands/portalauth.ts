import type { Command } from "commander";
import { outputOption } from "../options/output-option.ts";
import { addConfigOptions } from "../options/service-flags.ts";
import type { PortalAuthFlags } from "../roles/portal-cookie.ts";

export function addPortalAuth(root: Command): Command {
  const command = root
    .command("portalauth")
    .description("print a portal cookie for a person, valid for an hour")
    .requiredOption("--username <name>", "user name, as in the audit log")
    .requiredOption(
      "--groups <ids>",
      "object IDs of the person's groups, separated by commas",
      (text: string) => text.split(",").map((each) => each.trim()),
    )
    .addOption(outputOption());
  return addConfigOptions(command)
    .addHelpText(
      "after",
      "\nThe cookie is sealed with the portal's first session key and valid at every portal with this key. The IDs must be\nlisted in portal.signIn.groups.",
    )
    .action(async (flags: PortalAuthFlags) => {
      const { printPortalCookie } = await import("../roles/portal-cookie.ts");
      await printPortalCookie(flags);
    });
}
