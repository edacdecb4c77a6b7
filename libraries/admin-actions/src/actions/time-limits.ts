/**
 * Settings of virtual machine actions, which take minutes. These actions can be repeated, so a second process can resume them
 * after a crash.
 */
export const machineWork = { limitMs: 60 * 60_000, resumable: true };

/**
 * Time limit for streaming actions: 32 minutes. The actions stop themselves after 30 minutes and then need time to report their
 * timeout.
 */
export const streamLimitMs = 32 * 60_000;
