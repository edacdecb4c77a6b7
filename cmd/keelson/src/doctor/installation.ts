import type { Clock } from "@keelson/base";
import type { ConfigRole, RoleConfig } from "@keelson/env";

/** Installation that `keelson doctor` examines. */
export interface Installation {
  readonly stateDirectory: string;
  /** True for a state directory of `keelson up`. False for a production configuration. */
  readonly embedded: boolean;
  readonly config: RoleConfig;
  /** Command that reads the configuration. Undefined if several commands read it. */
  readonly role: ConfigRole | undefined;
  /** Options that select the installation: `--state DIR` or `--config FILE`. */
  readonly selector: string;
  /** ID of the process that uses the state directory. */
  readonly holder: number | undefined;
  readonly clock: Clock;
  /** Free disk space, in bytes, below which the disk check warns. */
  readonly lowDiskBytes: number;
  readonly signal: AbortSignal;
}
