import { existsSync } from "node:fs";
import { join } from "node:path";
import { cliErrors } from "../output/cli-errors.ts";
import { shellWord } from "../output/shell-word.ts";
import { writeFileAtomically } from "./atomic-file.ts";
import { readStateFile } from "./state-file.ts";

/** Addresses of a running instance. `endpoints.json` has this format, and scripts depend on it. URLs have no trailing slash. */
export interface Endpoints {
  readonly rp: string;
  readonly arm: string;
  readonly login: string;
  readonly graph: string;
  /** DNS suffix of key vaults for clients that use `proxy`. */
  readonly keyVaultSuffix: string;
  readonly portal: string;
  readonly clusters: string;
  readonly metrics: string;
  /**
   * URL of the simulated world's admin API for faults and offered updates. The API's bearer token is the field `adminToken` in
   * `secrets.json`.
   */
  readonly admin: string;
  /** Value of `HTTPS_PROXY` for clients that use Azure's host names. */
  readonly proxy: string;
  /** `address:port` of the DNS server for the simulated Azure's public zones (UDP and TCP). */
  readonly dns: string;
  /** Path of the local CA certificate (PEM). */
  readonly caFile: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly location: string;
  /** URL of the simulated world's console. Undefined if the console is disabled. */
  readonly console?: string;
  /**
   * URL of the control API for snapshots of the simulated world. The API's bearer token is the field `adminToken` in
   * `secrets.json`. Undefined if an earlier release started the instance.
   */
  readonly control?: string;
}

const members = [
  ...[
    "rp",
    "arm",
    "login",
    "graph",
    "keyVaultSuffix",
    "portal",
    "clusters",
    "metrics",
    "admin",
    "proxy",
    "dns",
  ],
  ...["caFile", "subscriptionId", "tenantId", "clientId", "clientSecret", "location"],
] as const;

export function writeEndpoints(directory: string, endpoints: Endpoints): void {
  writeFileAtomically(
    join(directory, "endpoints.json"),
    `${JSON.stringify(endpoints, undefined, 2)}\n`,
    0o600,
  );
}

/** Reads `endpoints.json`. @throws NotRunning if no instance was ever started in the directory; StateUnreadable */
export function readEndpoints(directory: string): Endpoints {
  const path = join(directory, "endpoints.json");
  if (!existsSync(path)) {
    throw cliErrors.NotRunning(
      `no instance in ${directory}: start one with "keelson up --state ${shellWord(directory)}"`,
    );
  }
  return readStateFile<Endpoints>(path, members, "the next start writes it again");
}

/**
 * Returns the port of the control API at the last start. Undefined before the first start. Also undefined if `endpoints.json` is
 * unreadable or was written by an earlier release. An unreadable file is not an error here, because the current start replaces
 * it.
 */
export function lastControlPort(directory: string): number | undefined {
  try {
    const { control = "" } = readEndpoints(directory);
    return Number(new URL(control).port) || undefined;
  } catch {
    return undefined;
  }
}
