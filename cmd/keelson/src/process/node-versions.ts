import { readFileSync } from "node:fs";

/** Node.js releases that the project supports. `scripts/node.sh` reads the same file. */
export interface NodeVersions {
  /** Release that the image contains and `make` installs. */
  readonly pinned: string;
  /** Major versions. */
  readonly supported: readonly number[];
  /** First and last release with a known bug: a TCP reset during a TLS handshake causes no error event. */
  readonly affectedByResets: { readonly first: string; readonly last: string };
}

export function nodeVersions(): NodeVersions {
  return JSON.parse(readFileSync(new URL("node-versions.json", import.meta.url), "utf8"));
}

export function isSupported(version: string, { supported }: NodeVersions): boolean {
  return supported.includes(Number(version.split(".")[0]));
}

export function isAffectedByResets(version: string, { affectedByResets }: NodeVersions): boolean {
  const { first, last } = affectedByResets;
  return compare(first, version) <= 0 && compare(version, last) <= 0;
}

function compare(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
