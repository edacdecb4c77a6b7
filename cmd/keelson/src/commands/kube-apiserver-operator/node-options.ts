import { type Command, InvalidArgumentError, Option } from "commander";
import { logLevelOption } from "../options.ts";

/** Flags of all programs that run on a node. */
export interface NodeFlags {
  readonly kubeconfig?: string;
  readonly server?: string;
  readonly serviceAccount: string;
  readonly logLevel: string;
}

export function addNodeOptions(command: Command): Command {
  return command
    .addOption(new Option("--kubeconfig <file>", "act as its user").env("KUBECONFIG").conflicts("server"))
    .option("--server <url>", "the API server (default: that of the pod that this runs in)")
    .option(
      "--service-account <dir>",
      "folder with token and ca.crt of the service account",
      "/var/run/secrets/kubernetes.io/serviceaccount",
    )
    .addOption(new Option("-v <level>", "verbosity of other programs: changes nothing").hideHelp())
    .addOption(logLevelOption());
}

/** Names with commas between them; the flag may be repeated. */
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
