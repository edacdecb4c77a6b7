/** How long simulated things take, in milliseconds: fast, but slow enough to be watched. */
export interface Timings {
  /** From the bootstrap machine running to the API answering. */
  readonly bootstrapBootMs: number;
  /** From a machine running to its Node registered. */
  readonly nodeBootMs: number;
  /** From a Node registered to Ready. */
  readonly nodeReadyMs: number;
  /** Between one cluster operator becoming available and the next. */
  readonly operatorIntervalMs: number;
  /** From a cluster being installed to the manifests of its release, whose operators then start. */
  readonly payloadDelayMs: number;
  /** From a Node registered to the end of its first boot: configuration that comes before costs no further one. */
  readonly firstBootMs: number;
  /** From a node going down for a reboot to its kubelet being back. */
  readonly rebootMs: number;
  /** Between two attempts to evict what a disruption budget keeps. */
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

/** Everything at once, for tests. */
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
