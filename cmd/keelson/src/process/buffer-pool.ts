/**
 * Reduces the size of the blocks (64 kB by default) from which Node.js allocates small buffers. A long-lived buffer of a few
 * bytes otherwise keeps its entire block in memory.
 */
export function limitBufferPool(): void {
  Buffer.poolSize = 8_192;
}
