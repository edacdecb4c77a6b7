/** Durations of the simulation in milliseconds. The defaults are short but long enough to be observed. */
export interface Timings {
  /** Start of the bootstrap machine until the API is available. */
  readonly bootstrapBootMs: number;
  /** Start of a machine until its Node is registered. */
  readonly nodeBootMs: number;
  /** Registration of a Node until it is Ready. */
  readonly nodeReadyMs: number;
  /** Interval between two cluster operators becoming available. */
  readonly operatorIntervalMs: number;
  /**
   * Installation of a cluster until the manifests of its release are applied, which starts their operators.
   */
  readonly payloadDelayMs: number;
  /**
   * Registration of a Node until the end of its first boot. Earlier configuration changes require no
   * additional reboot.
   */
  readonly firstBootMs: number;
  /** Shutdown of a node for a reboot until its kubelet is available again. */
  readonly rebootMs: number;
  /** Interval between two attempts to evict a pod that a disruption budget protects. */
  readonly drainRetryMs: number;
}

export const defaultTimings: Timings = {
  bootstrapBootMs: 150,
  nodeBootMs: 100,
  nodeReadyMs: 50,
  operatorIntervalMs: 15,
  payloadDelayMs: 1_000,
  firstBootMs: 45_000,
  rebootMs: 600,
  drainRetryMs: 250,
};

/** No delays, for tests. */
export const instantTimings: Timings = {
  bootstrapBootMs: 0,
  nodeBootMs: 0,
  nodeReadyMs: 0,
  operatorIntervalMs: 0,
  payloadDelayMs: 0,
  firstBootMs: 0,
  rebootMs: 0,
  drainRetryMs: 20,
};
