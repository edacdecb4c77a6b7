/** Durations of the simulation in milliseconds. The defaults are short but long enough for observation. */
export interface Timings {
  /** Time from the start of the bootstrap machine until the API is available. */
  readonly bootstrapBootMs: number;
  /** Time from the start of a machine until it registers its Node. */
  readonly nodeBootMs: number;
  /** Time from the registration of a Node until it is Ready. */
  readonly nodeReadyMs: number;
  /** Milliseconds between the rollouts of two consecutive cluster operators. */
  readonly operatorIntervalMs: number;
  /**
   * Delay between a cluster's installation and the application of its release manifests. These manifests start the real
   * operators.
   */
  readonly payloadDelayMs: number;
  /**
   * Time from the registration of a Node until the end of its first boot. Configuration changes in this period need no additional
   * reboot.
   */
  readonly firstBootMs: number;
  /** Time from a node's shutdown for a reboot until its kubelet responds again. */
  readonly rebootMs: number;
  /** Interval between two eviction attempts for a pod with a disruption budget. */
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
