/** Time limit for virtual machine actions. Such an action takes minutes and can be repeated. */
export const machineWork = { limitMs: 60 * 60_000, resumable: true };

/** Time limit for streaming actions. These actions limit themselves to 30 minutes and need time to report that timeout. */
export const streamLimitMs = 32 * 60_000;
