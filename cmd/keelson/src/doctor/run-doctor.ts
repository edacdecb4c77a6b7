import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Clock, messageOf, withTimeout } from "@keelson/base";
import type { ConfigRole, RoleConfig } from "@keelson/env";
import { type ConfigFlags, roleConfigOf, serviceConfigOf } from "../options/service-flags.ts";
import { shellWord } from "../output/shell-word.ts";
import { stateHolder } from "../state/state-lock.ts";
import { checkAzure } from "./check-azure.ts";
import { checkCertificates } from "./check-certificates.ts";
import { checkComponents } from "./check-components.ts";
import { checkDatabase } from "./check-database.ts";
import { checkDisk } from "./check-disk.ts";
import { checkNode } from "./check-node.ts";
import { checkPorts } from "./check-ports.ts";
import { checkState } from "./check-state.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";
import type { Installation } from "./installation.ts";

export interface DoctorOptions {
  readonly clock: Clock;
  readonly lowDiskBytes?: number;
  /** Command that reads the configuration. Only the fields that it reads are checked. Default: the checks of all commands. */
  readonly role?: ConfigRole | undefined;
  readonly signal: AbortSignal;
}

const limitMs = 30_000;

const checks: Readonly<
  Record<string, (installation: Installation) => readonly Finding[] | Promise<readonly Finding[]>>
> = {
  node: () => [checkNode()],
  ports: checkPorts,
  certificates: checkCertificates,
  disk: checkDisk,
  database: checkDatabase,
  azure: checkAzure,
};

/** Runs all checks on an installation: a state directory of `keelson up`, or a production configuration. */
export async function examineInstallation(
  flags: ConfigFlags,
  options: DoctorOptions,
): Promise<readonly Finding[]> {
  const { clock, lowDiskBytes = 1_000_000_000, role, signal } = options;
  const embedded = flags.config === undefined;
  const selector = embedded
    ? `--state ${shellWord(flags.state)}`
    : `--config ${shellWord(flags.config ?? "")}`;
  const path = flags.config ?? join(flags.state, "service.json");
  if (embedded && !existsSync(flags.state)) {
    return [
      failed(
        "configuration",
        `there is no state directory ${flags.state}`,
        `"keelson up --state ${shellWord(flags.state)}" makes it; for a configuration of production use --config FILE`,
        `keelson up --state ${shellWord(flags.state)}`,
      ),
    ];
  }
  const holder = holderOf(embedded, flags.state);
  const state = embedded ? [...checkState(flags.state), ...checkComponents(flags.state, holder)] : [];
  let config: RoleConfig;
  let ignored: readonly string[] = [];
  try {
    const read = role === undefined || role === "rp" ? serviceConfigOf : roleConfigOf;
    config = await read(flags, (warnings) => {
      ignored = warnings;
    });
  } catch (error) {
    const remedy = embedded ? "start again: it is written at every start" : "correct the members named";
    const command = embedded ? `keelson up ${selector}` : checkCommand(path, role);
    return [...state, failed("configuration", messageOf(error), remedy, command)];
  }
  const installation = {
    stateDirectory: flags.state,
    embedded,
    selector,
    config,
    role,
    holder,
    clock,
    lowDiskBytes,
  };
  const found = await Promise.all(
    Object.entries(checks).map(([name, check]) =>
      contained(
        name,
        () => check({ ...installation, signal: withTimeout(signal, limitMs) }),
        selector,
        signal,
      ),
    ),
  );
  return [...state, configurationFinding(path, ignored, role), ...found.flat()];
}

/** Returns the command that prints all errors of the configuration file. */
function checkCommand(path: string, role: ConfigRole | undefined): string {
  return `keelson config check ${shellWord(path)}${role === undefined ? "" : ` --role ${role}`}`;
}

function configurationFinding(
  path: string,
  ignored: readonly string[],
  role: ConfigRole | undefined,
): Finding {
  if (ignored.length === 0) return ok("configuration", `${path} is valid`);
  return warning(
    "configuration",
    `${path} is valid, but has ignored fields: ${ignored.join("; ")}`,
    "after a rollback, this is expected until the next upgrade; otherwise remove the fields, or correct schemaVersion",
    checkCommand(path, role),
  );
}

/** Runs a check. If the check throws or exceeds its time limit, returns a failed finding. */
async function contained(
  name: string,
  check: () => readonly Finding[] | Promise<readonly Finding[]>,
  selector: string,
  signal: AbortSignal,
) {
  try {
    return await check();
  } catch (error) {
    signal.throwIfAborted();
    return [
      failed(
        name,
        `could not be checked: ${messageOf(error)}`,
        "fix the error of the message, then try again",
        `keelson doctor ${selector}`,
      ),
    ];
  }
}

function holderOf(embedded: boolean, directory: string): number | undefined {
  try {
    return embedded ? stateHolder(directory) : undefined;
  } catch {
    return undefined;
  }
}
