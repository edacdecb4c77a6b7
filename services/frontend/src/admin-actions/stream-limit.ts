/** Above the 30 minutes that these actions give themselves, so that they can still say so. */
export const streamLimitMs = 32 * 60_000;
