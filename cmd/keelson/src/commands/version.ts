import process from "node:process";
import { type Command, Option } from "commander";
import { buildVersion } from "../build-version.ts";

export function addVersion(root: Command): Command {
  return root
    .command("version")
    .description("print the version")
    .addOption(new Option("-o, --output <format>", "json for scripts").choices(["json"]))
    .action(({ output }: { output?: "json" }) => {
      const version = { keelson: buildVersion(), node: process.versions.node };
      process.stdout.write(`${output === "json" ? JSON.stringify(version) : versionText()}\n`);
    });
}

export function versionText(): string {
  return `keelson ${buildVersion()} (node ${process.versions.node})`;
}
