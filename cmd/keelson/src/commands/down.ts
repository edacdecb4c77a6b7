import type { Command } from "commander";
import { stopInstance } from "../instance/stop-instance.ts";
import { stateOption } from "../options/options.ts";
import { Progress } from "../output/progress.ts";

export function addDown(root: Command): Command {
  return root
    .command("down")
    .description('stop the instance that "keelson up" started. Clusters and other state stay on disk')
    .addOption(stateOption())
    .addHelpText("after", "\nExamples:\n  keelson down\n  keelson down --state /tmp/try")
    .action(({ state }: { state: string }) => stopInstance(state, new Progress()));
}
