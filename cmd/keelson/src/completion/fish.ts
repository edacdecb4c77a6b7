import { allNodes, type CommandNode, type OptionNode } from "./command-tree.ts";

/** Returns a completion script for fish. */
export function fishCompletion(root: CommandNode): string {
  const [program = ""] = root.path;
  const names = allNodes(root).map(({ path }) => quoted(path.join(" ")));
  const lines = allNodes(root).flatMap((node) => {
    const at = `complete -c ${program} -n ${quoted(`__${program}_at ${quoted(node.path.join(" "))}`)}`;
    return [
      ...node.commands.map(
        ({ path, description }) => `${at} -f -a ${quoted(path.at(-1) ?? "")} -d ${quoted(description)}`,
      ),
      ...node.options.map((option) => `${at}${optionOf(option)}`),
    ];
  });
  return `# fish completion of ${program}: ${program} completion fish | source
function __${program}_at
    set -l path ${program}
    for word in (commandline -opc)[2..]
        contains -- "$path $word" ${names.join(" ")}; and set path "$path $word"
    end
    test "$path" = "$argv"
end
${lines.join("\n")}
`;
}

function optionOf({ flags, description, values, isFile }: OptionNode): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value =
    values === undefined
      ? ""
      : isFile
        ? " -r -F"
        : ` -x${values.length > 0 ? ` -a ${quoted(values.join(" "))}` : ""}`;
  return ` ${names.join(" ")}${value} -d ${quoted(description)}`;
}

/** Quotes a string for fish. Within single quotes, a backslash escapes quotes and backslashes. */
function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
