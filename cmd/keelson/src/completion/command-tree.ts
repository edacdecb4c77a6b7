import type { Command } from "commander";

/** Node in the tree of commands and options that shells complete. */
export interface CommandNode {
  /** Words of the command, for example `keelson cluster create`. */
  readonly path: readonly string[];
  readonly description: string;
  readonly commands: readonly CommandNode[];
  readonly options: readonly OptionNode[];
}

export interface OptionNode {
  /** `--output`, `-o`. */
  readonly flags: readonly string[];
  readonly description: string;
  /**
   * Values that the option accepts. Empty if the option accepts any string. Undefined if the option is a flag without a value.
   */
  readonly values: readonly string[] | undefined;
  /** True if the option's value is a file name. */
  readonly isFile: boolean;
}

/** Builds the completion tree of a commander command and its subcommands. */
export function commandTree(command: Command, above: readonly string[] = []): CommandNode {
  const path = [...above, command.name()];
  const help = command.createHelp();
  return {
    path,
    description: oneLine(command.description()),
    commands: help
      .visibleCommands(command)
      .map((each) => commandTree(each, path))
      .filter(({ path: at }) => at.at(-1) !== "help"),
    options: help
      .visibleOptions(command)
      .map(({ short, long, description, argChoices, required, optional, flags }) => ({
        flags: [long, short].filter((flag) => flag !== undefined),
        description: oneLine(description),
        values: required || optional ? [...(argChoices ?? [])] : undefined,
        isFile: /<(?:[\w ]*\b)?(?:file|dir|pem)\b/.test(flags),
      })),
  };
}

export function allNodes(node: CommandNode): readonly CommandNode[] {
  return [node, ...node.commands.flatMap(allNodes)];
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
