import type { Command } from "commander";
import { Progress } from "../progress.ts";
import { stopInstance } from "../stop-instance.ts";
import { stateOption } from "./options.ts";

export function addDown(root: Command): Command {
  return root
    .command("down")
    .description('stop what "up" started; clusters and their state stay on disk')
    .addOption(stateOption())
    .action(({ state }: { state: string }) => stopInstance(state, new Progress()));
}
