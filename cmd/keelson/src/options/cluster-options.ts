import { type Command, InvalidArgumentError, Option } from "commander";
import type { ClusterRef } from "./cluster-ref.ts";
import { parseClusterName, stateOption } from "./options.ts";
import { outputOption } from "./output-option.ts";

export type Visibility = "Public" | "Private";

/** Options that select a cluster of a running instance. */
export interface ClusterFlags {
  readonly state: string;
  readonly name?: string;
  readonly resourceGroup?: string;
}

/** Adds the argument and the option for the cluster's name, and the options `--resource-group` and `--state`. */
export function addClusterTarget(command: Command): Command {
  return command
    .argument("[name]", "name of the cluster; required without --name", parseClusterName)
    .option("-n, --name <name>", "name of the cluster, instead of the argument [name]", parseClusterName)
    .addOption(resourceGroupOption("resource group of the cluster (default: name of the cluster)"))
    .addOption(stateOption());
}

/** Adds the options of {@link addClusterTarget}, and `--output`. */
export function addClusterOptions(command: Command): Command {
  return addClusterTarget(command).addOption(outputOption());
}

/**
 * Returns the cluster that the argument and the options select. Exits with code 2 if the command line contains no cluster name,
 * or two different names.
 */
export function clusterOf(argument: string | undefined, flags: ClusterFlags, command: Command): ClusterRef {
  const name = argument ?? flags.name;
  if (name === undefined)
    command.error("error: missing required argument 'name', or --name, for example \"--name demo\"");
  if (flags.name !== undefined && flags.name !== name)
    command.error(
      `error: the argument "${name}" and --name "${flags.name}" differ. Use one of them, for example "--name demo".`,
    );
  return { name, resourceGroup: flags.resourceGroup ?? name };
}

export function resourceGroupOption(description: string): Option {
  return new Option("-g, --resource-group <name>", description).argParser(parseResourceGroup);
}

export function dryRunOption(): Option {
  return new Option("--dry-run", "print the requests that make changes, without sending them");
}

function parseResourceGroup(text: string): string {
  if (/^[-\w.()]{0,89}[-\w()]$/.test(text)) return text;
  throw new InvalidArgumentError(
    'expected 1 to 90 letters, digits, "-", "_", "(", ")" or "." without "." at the end, for example "demo".',
  );
}

export function parseVersion(text: string): string {
  if (/^4\.\d{1,3}\.\d{1,4}$/.test(text)) return text;
  throw new InvalidArgumentError("expected 4.MINOR.PATCH, for example 4.19.24.");
}

export function parseVmSize(text: string): string {
  if (/^Standard_[A-Za-z0-9_-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('expected the name of an Azure VM size, for example "Standard_D8s_v5".');
}

/** Returns a parser of integers from `min` to `max`. */
export function integerFrom(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`expected an integer from ${min} to ${max}, for example ${min + 1}.`);
  };
}

export function parseVisibility(text: string): Visibility {
  const [first = "", ...rest] = text.toLowerCase();
  const value = `${first.toUpperCase()}${rest.join("")}`;
  if (value === "Public" || value === "Private") return value;
  throw new InvalidArgumentError('expected Public or Private, for example "Private".');
}
