import type { AdmittedCommand, ContainerCommand } from "@keelson/sim-openshift";
import { containerPrograms, type ValueKind, values } from "./container-flags.ts";
import { commandLine, isProgram } from "./operator-commands.ts";

/**
 * Checks the program, flags and values of a pod's command. Returns the arguments in the unambiguous form `--flag=value`, so that
 * the program cannot parse them differently from this check.
 */
export function admitCommand({ programs, program, args }: ContainerCommand): AdmittedCommand {
  if (!isProgram(program)) return refuse(`${quoted(program ?? "")} is not a program of this image`);
  const words = commandLine(program, args);
  const name = Object.keys(containerPrograms).find((each) => startsWith(words, each.split(" ")));
  const found = name === undefined ? undefined : containerPrograms[name];
  if (name === undefined || !found)
    return refuse(`${quoted(words.slice(0, 2).join(" "))} is not a program that containers run`);
  if (!programs.includes(name))
    return refuse(`the owner of this pod may run ${programs.map(quoted).join(", ")}, not ${quoted(name)}`);
  const prefix = name.split(" ");
  const flags = readFlags(words.slice(prefix.length), found.flags);
  if (typeof flags === "string") return refuse(`${name}: ${flags}`);
  return { args: [...prefix, ...flags], ...(found.options && { options: found.options }) };
}

/** Returns the flags as `--flag=value`, or an error message for the first invalid flag. */
function readFlags(
  words: readonly string[],
  flags: Readonly<Record<string, ValueKind>>,
): readonly string[] | string {
  const read: string[] = [];
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const match = /^(?:--([a-z][-a-z]+)|-(v))(?:=(.*))?$/s.exec(word);
    const flag = match?.[1] ?? match?.[2] ?? "";
    const kind = Object.hasOwn(flags, flag) ? flags[flag] : undefined;
    if (kind === undefined) return `${quoted(word)} is not a flag that containers may set`;
    const value = match?.[3] ?? left.shift();
    if (value === undefined) return `${quoted(word)} has no value`;
    if (!values[kind].test(value)) return `${quoted(value)} is not a value of --${flag} (${kind})`;
    read.push(flag === "v" ? `-v=${value}` : `--${flag}=${value}`);
  }
  return read;
}

function startsWith(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((word, at) => words[at] === word);
}

function refuse(reason: string): AdmittedCommand {
  return { refused: `keelson: not started as a process of the host: ${reason}` };
}

/** Formats a value as JSON. Truncates it to 100 characters. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}
