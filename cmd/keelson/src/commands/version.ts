import process from "node:process";
import { type Command, Option } from "commander";
import { buildVersion } from "../process/build-version.ts";
import { isSupported, nodeVersions } from "../process/node-versions.ts";

export function addVersion(root: Command): Command {
  return root
    .command("version")
    .description("print the versions of keelson and Node.js")
    .addOption(new Option("-o, --output <format>", "output format (default: text)").choices(["json"]))
    .addHelpText("after", "\nExample:\n  keelson version -o json")
    .action(({ output }: { output?: "json" }) => {
      const { supported } = nodeVersions();
      const version = { keelson: buildVersion(), node: process.versions.node, supportedNode: supported };
      process.stdout.write(`${output === "json" ? JSON.stringify(version) : versionText()}\n`);
    });
}

export function versionText(): string {
  const { node } = process.versions;
  const versions = nodeVersions();
  const note = isSupported(node, versions) ? "" : `, supported: ${versions.supported.join(", ")}`;
  return `keelson ${buildVersion()} (node ${node}${note})`;
}
