import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { reserveFreePort, reservePort } from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";
import { writeFileAtomically } from "./atomic-file.ts";
import { aroInstallerFile, managementClusterFile } from "./installer-state-files.ts";
import { readStateFile } from "./state-file.ts";

/** Simulated cluster that runs Hive. */
export interface ManagementCluster {
  /** Directory that contains Hive's CustomResourceDefinitions. */
  readonly crds: string;
  readonly port: number;
  /** Bearer token of the cluster's administrator. */
  readonly token: string;
  /** Encryption key for the asset graphs of the installer: 64 bytes in base64. */
  readonly graphKey: string;
}

/** Files in the state directory that the resource provider and Hive's controllers read. */
export const hiveFiles = {
  kubeconfig: "hive.kubeconfig",
  graphKey: "hive-graph.key",
  pullSecret: "hive-pull-secret.json",
} as const;

/**
 * Returns the management cluster of a state directory. Its port is the port of the last start, or a free port at the first start.
 * If `crds` is set, creates the management cluster, or replaces the CRD directory of an existing management cluster. Returns
 * undefined if the directory has no management cluster.
 * @throws StateUnreadable; StateUnusable if the directory is set up for ARO's installer without Hive
 */
export async function chooseManagementCluster(
  directory: string,
  crds: string | undefined,
): Promise<ManagementCluster | undefined> {
  const remembered = readManagementCluster(directory);
  if (!remembered && crds === undefined) return undefined;
  if (!remembered && existsSync(join(directory, aroInstallerFile)))
    throw cliErrors.StateUnusable(
      `${directory} installs clusters by ARO's installer. Use another --state DIR.`,
    );
  await using reservation = (remembered && (await reservePort(remembered.port))) ?? (await reserveFreePort());
  const chosen = {
    token: randomBytes(32).toString("base64url"),
    graphKey: randomBytes(64).toString("base64"),
    ...remembered,
    crds: crds ?? remembered?.crds ?? "",
    port: reservation.port,
  };
  writeFileAtomically(pathIn(directory), `${JSON.stringify(chosen, undefined, 2)}\n`, 0o600);
  return chosen;
}

/** @throws StateUnreadable */
export function readManagementCluster(directory: string): ManagementCluster | undefined {
  const path = pathIn(directory);
  if (!existsSync(path)) return undefined;
  const remedy = "restore it from a backup, or start afresh with another --state DIR";
  return readStateFile<ManagementCluster>(path, ["crds", "port", "token", "graphKey"], remedy);
}

function pathIn(directory: string): string {
  return join(directory, managementClusterFile);
}
