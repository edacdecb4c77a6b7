import type { Command } from "commander";
import { outputOption } from "../options/output-option.ts";
import { addConfigOptions } from "../options/service-flags.ts";
import type { PortalAuthFlags } from "../roles/portal-cookie.ts";

export function addPortalAuth(root: Command): Command {
  const command = root
    .command("portalauth")
    .description("print a cookie by which a person is signed in to the portal, for an hour")
    .requiredOption("--username <name>", "who that is, as the audit will say")
    .requiredOption(
      "--groups <ids>",
      "object IDs of the person's groups, separated by commas",
      (text: string) => text.split(",").map((each) => each.trim()),
    )
    .addOption(outputOption());
  return addConfigOptions(command)
    .addHelpText(
      "after",
      "\nIt is sealed with the portal's first session key, and good wherever that key is. Groups are those of portal.signIn.groups.",
    )
    .action(async (flags: PortalAuthFlags) => {
      const { printPortalCookie } = await import("../roles/portal-cookie.ts");
      await printPortalCookie(flags);
    });
}
