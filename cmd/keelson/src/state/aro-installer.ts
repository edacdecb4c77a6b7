import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cliErrors } from "../output/cli-errors.ts";
import { writeFileAtomically } from "./atomic-file.ts";
import { aroInstallerFile, managementClusterFile } from "./installer-state-files.ts";
import { readStateFile } from "./state-file.ts";

/** Settings of ARO's installer when the service runs it without Hive. */
export interface AroInstaller {
  /** Absolute path. */
  readonly program: string;
  /** Encryption key for the asset graphs of the installer: 64 bytes in base64. */
  readonly graphKey: string;
}

/** Files that the resource provider reads from the state directory, and the directory of active installations. */
export const aroInstallerFiles = {
  graphKey: "aro-installer-graph.key",
  pullSecret: "aro-installer-pull-secret.json",
  installs: "installs",
} as const;

/** Placeholder credentials for the simulated registry, which does not authenticate clients. */
export const simulatedPullSecret = JSON.stringify({ auths: { localhost: { auth: "a2VlbHNvbjprZWVsc29u" } } });

/**
 * Returns the settings of ARO's installer in a state directory. `program` is the installer program. Default: the program of the
 * last start. Returns undefined if the directory does not use ARO's installer.
 * @throws StateUnreadable; StateUnusable if `program` is set and the directory is set up for Hive
 */
export function chooseAroInstaller(directory: string, program: string | undefined): AroInstaller | undefined {
  if (program === undefined) return readAroInstaller(directory);
  if (existsSync(join(directory, managementClusterFile)))
    throw cliErrors.StateUnusable(`${directory} installs clusters by Hive. Use another --state DIR.`);
  const chosen = { graphKey: randomBytes(64).toString("base64"), ...readAroInstaller(directory), program };
  writeFileAtomically(pathIn(directory), `${JSON.stringify(chosen, undefined, 2)}\n`, 0o600);
  return chosen;
}

/** @throws StateUnreadable */
export function readAroInstaller(directory: string): AroInstaller | undefined {
  const path = pathIn(directory);
  if (!existsSync(path)) return undefined;
  const remedy = "restore it from a backup, or start afresh with another --state DIR";
  return readStateFile<AroInstaller>(path, ["program", "graphKey"], remedy);
}

/** Writes the installer files that the resource provider reads. */
export function publishAroInstaller(directory: string, { graphKey }: AroInstaller): void {
  writeFileAtomically(join(directory, aroInstallerFiles.graphKey), graphKey, 0o600);
  writeFileAtomically(join(directory, aroInstallerFiles.pullSecret), simulatedPullSecret, 0o600);
}

function pathIn(directory: string): string {
  return join(directory, aroInstallerFile);
}
