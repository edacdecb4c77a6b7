import { resolve } from "node:path";
import process from "node:process";
import { type Command, Option } from "commander";
import { stopSignal } from "../stop-signals.ts";
import { stateOption } from "./options.ts";
import { outputOption } from "./output.ts";

export interface MirrorFlags {
  readonly state: string;
  readonly config?: string;
  readonly destination?: string;
  readonly only?: "images" | "releases";
  readonly dryRun?: boolean;
  readonly output: "table" | "json";
}

export function addMirror(root: Command): Command {
  return root
    .command("mirror")
    .description("copy releases of OpenShift, and images of the service, into one registry")
    .argument(
      "[version...]",
      "releases, or latest (default: all of the release graph from the oldest supported on)",
    )
    .option("--destination <host>", "registry to copy to (default: of the configuration, or DST_ACR_NAME)")
    .addOption(
      new Option(
        "--config <file>",
        "what is copied from where, how registries are signed in to, JSON",
      ).argParser((text: string) => resolve(text)),
    )
    .addOption(new Option("--only <what>", "leave out the others").choices(["images", "releases"]))
    .option("--dry-run", "say what would be copied, copy nothing")
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Environment: DST_ACR_NAME, the registry of Azure to copy to, with AZURE_TENANT_ID, AZURE_CLIENT_ID and
AZURE_CLIENT_SECRET, or AZURE_EV2 for the machine's managed identity (AZURE_CLIENT_ID); AZURE_ENVIRONMENT, its cloud;
SRC_AUTH_QUAY and SRC_AUTH_REDHAT, base64 of user:password.

What is at the destination is not copied again, and an upload that was interrupted goes on where it was: run the same
command again. The exit code is 1 when any image failed; each is named with the reason.`,
    )
    .action(async (versions: readonly string[], flags: MirrorFlags) => {
      const { runMirrorCommand } = await import("../run-mirror.ts");
      await runMirrorCommand(
        versions,
        flags,
        process.env,
        stopSignal(() => undefined),
      );
    });
}
