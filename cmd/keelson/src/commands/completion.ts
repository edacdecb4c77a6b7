import process from "node:process";
import { Argument, type Command } from "commander";
import { bashCompletion } from "../completion/bash.ts";
import { commandTree } from "../completion/command-tree.ts";
import { fishCompletion } from "../completion/fish.ts";
import { zshCompletion } from "../completion/zsh.ts";

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;
type Shell = keyof typeof shells;

/** Returns the command that prints completion scripts. `loadProgram` returns the program with all commands. */
export const completionOf =
  (loadProgram: () => Promise<Command>) =>
  (root: Command): Command =>
    root
      .command("completion")
      .description("print a completion script for a shell")
      .addArgument(new Argument("<shell>", "name of the shell").choices(Object.keys(shells)))
      .addHelpText(
        "after",
        `
bash, in ~/.bashrc:              source <(keelson completion bash)
zsh, in ~/.zshrc after compinit: source <(keelson completion zsh)
fish:                            keelson completion fish > ~/.config/fish/completions/keelson.fish`,
      )
      .addHelpText("after", "\nExample:\n  keelson completion bash")
      .action(async (shell: Shell) => {
        process.stdout.write(shells[shell](commandTree(await loadProgram())));
      });
