/** Indexes in the memory that the event loop and its watchdog share. */
export const watchdogFields = { beats: 0, stalls: 1, count: 2 } as const;

export interface WatchdogSettings {
  readonly shared: SharedArrayBuffer;
  readonly beatMs: number;
  readonly limitMs: number;
  /** Minimum time between two logged stacks, in ms. */
  readonly quietMs: number;
  /** Additional fields of each log line, for example the component's name. */
  readonly facts: Readonly<Record<string, string | number>>;
}
