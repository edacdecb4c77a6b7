import { type Command, InvalidArgumentError, Option } from "commander";
import { addClusterAccess, type ClusterAccessFlags } from "./cluster-access-options.ts";
import { logLevelOption } from "./options.ts";

/** Flags of all programs that run on a node. */
export interface NodeFlags extends ClusterAccessFlags {
  readonly logLevel: string;
}

export function addNodeOptions(command: Command): Command {
  return addClusterAccess(command, "kubeconfig file for connections to the cluster's API server")
    .addOption(new Option("-v <level>", "ignored; accepted for compatibility").hideHelp())
    .addOption(logLevelOption());
}

/** Returns an option for comma-separated names. The flag can be repeated. */
export function namesOption(flag: string, description: string): Option {
  const parse = (text: string, before: readonly string[]) => [
    ...before,
    ...text.split(",").filter((each) => each !== ""),
  ];
  return new Option(`--${flag} <names>`, description).argParser(parse).default([], "none");
}

export function parseRevision(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("expected a revision.");
  return Number(text);
}

export function parseRevisions(text: string, before: readonly number[]): readonly number[] {
  return [
    ...before,
    ...text
      .split(",")
      .filter((each) => each !== "")
      .map(parseRevision),
  ];
}
