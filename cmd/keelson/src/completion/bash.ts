import { allNodes, type CommandNode } from "./command-tree.ts";

/** Returns a completion script for bash. It does not need the bash-completion package. */
export function bashCompletion(root: CommandNode): string {
  const [program = ""] = root.path;
  const nodes = allNodes(root);
  const commands = nodes.map(
    ({ path, commands: below }) => `    '${path.join(" ")}') echo '${below.map(nameOf).join(" ")}' ;;`,
  );
  const options = nodes.map(
    ({ path, options: own }) =>
      `    '${path.join(" ")}') echo '${own.flatMap(({ flags }) => flags).join(" ")}' ;;`,
  );
  const values = nodes.flatMap(({ path, options: own }) =>
    own.flatMap(({ flags, values: all, isFile }) =>
      all === undefined
        ? []
        : [
            `    ${flags.map((flag) => `'${path.join(" ")} ${flag}'`).join("|")}) echo '${isFile ? "<file>" : all.join(" ")}' ;;`,
          ],
    ),
  );
  return `# bash completion of ${program}: source <(${program} completion bash)
_${program}_commands() {
  case "$1" in
${commands.join("\n")}
  esac
}
_${program}_options() {
  case "$1" in
${options.join("\n")}
  esac
}
# The values of an option; fails for one that takes none.
_${program}_values() {
  case "$1" in
${values.join("\n")}
    *) return 1 ;;
  esac
}
_${program}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" path=${program} takes="" each values i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    each="\${COMP_WORDS[i]}"
    if [[ -n "$takes" ]]; then takes=""; continue; fi
    if [[ "$each" == -* ]]; then
      _${program}_values "$path $each" >/dev/null && takes="$each"
    elif [[ " $(_${program}_commands "$path") " == *" $each "* ]]; then
      path="$path $each"
    fi
  done
  if [[ -n "$takes" ]]; then
    values="$(_${program}_values "$path $takes")"
    if [[ "$values" == "<file>" ]]; then COMPREPLY=($(compgen -f -- "$word")); return; fi
  elif [[ "$word" == -* ]]; then
    values="$(_${program}_options "$path")"
  else
    values="$(_${program}_commands "$path")"
  fi
  COMPREPLY=($(compgen -W "$values" -- "$word"))
}
complete -o filenames -F _${program} ${program}
`;
}

function nameOf({ path }: CommandNode): string {
  return path.at(-1) ?? "";
}
