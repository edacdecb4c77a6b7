/** Limit for work on a virtual machine, which takes minutes and can be repeated. */
export const machineWork = { limitMs: 60 * 60_000, resumable: true };

/** Above the 30 minutes that these actions limit themselves to, so that they can still report it. */
export const streamLimitMs = 32 * 60_000;
