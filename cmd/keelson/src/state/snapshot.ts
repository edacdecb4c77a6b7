/** Snapshot of the simulated world. */
export interface Snapshot {
  readonly name: string;
  /** RFC 3339. */
  readonly created: string;
  /** Release of Keelson that created the snapshot. */
  readonly version: string;
  /** Total size of the snapshot's files in bytes. */
  readonly bytes: number;
}

/** Result of a restore or reset. */
export interface Restored {
  /**
   * Duration in milliseconds during which the world does not serve: from the stop of the old world until the new world serves
   * requests.
   */
  readonly downMs: number;
}

const pattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Allowed form of snapshot names, for error messages. */
export const snapshotNameForm =
  "expected at most 63 lower-case letters, digits and hyphens, for example before-upgrade";

/** True if the name is allowed. Names are used as directory names, so they contain neither dots nor slashes. */
export function isSnapshotName(name: string): boolean {
  return pattern.test(name);
}
