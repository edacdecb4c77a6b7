/** Time limit for virtual machine actions. Such an action takes minutes and can be repeated. */
export const machineWork = { limitMs: 60 * 60_000, resumable: true };

/**
 * Time limit for streaming actions: 32 minutes. The actions stop themselves after 30 minutes and then need time to report their
 * timeout.
 */
export const streamLimitMs = 32 * 60_000;
