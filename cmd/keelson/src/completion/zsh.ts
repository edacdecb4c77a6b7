import { allNodes, type CommandNode, type OptionNode } from "./command-tree.ts";

/** Returns a completion script for zsh. Users source it, or store it as `_keelson` in a directory of `fpath`. */
export function zshCompletion(root: CommandNode): string {
  const [program = ""] = root.path;
  return `#compdef ${program}
# zsh completion of ${program}: source <(${program} completion zsh)
${allNodes(root).map(functionOf).join("")}if [[ "\${funcstack[1]}" == "_${program}" ]]; then _${program} "$@"; else compdef _${program} ${program}; fi
`;
}

function functionOf(node: CommandNode): string {
  const options = node.options.flatMap(specsOf).map((spec) => `    ${spec}`);
  if (node.commands.length === 0) {
    return `${functionName(node)}() {\n  _arguments -s \\\n${[...options, "    '*:file:_files'"].join(" \\\n")}\n}\n`;
  }
  const described = node.commands.map(
    ({ path, description }) => `      ${quoted(`${path.at(-1)}:${description}`)}`,
  );
  const cases = node.commands.map((each) => `        ${each.path.at(-1)}) ${functionName(each)} ;;`);
  return `${functionName(node)}() {
  local state line
  local -a commands
  _arguments -C -s \\
${[...options, "    '1:command:->command'", "    '*::argument:->argument'"].join(" \\\n")}
  case $state in
    command)
      commands=(
${described.join("\n")}
      )
      _describe command commands
      ;;
    argument)
      case $line[1] in
${cases.join("\n")}
      esac
      ;;
  esac
}
`;
}

function specsOf({ flags, description, values, isFile }: OptionNode): readonly string[] {
  const text = description.replaceAll(/[[\]:]/g, "\\$&");
  const value =
    values === undefined
      ? ""
      : `:value:${isFile ? "_files" : values.length > 0 ? `(${values.join(" ")})` : ""}`;
  return flags.map((flag) => quoted(`${flag}[${text}]${value}`));
}

function functionName({ path }: CommandNode): string {
  return `_${path.join("_").replaceAll("-", "_")}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
