/**
 * Reduces the size of the blocks (64 kB by default) from which Node.js allocates small buffers. With large blocks, a long-lived
 * buffer of a few bytes keeps its entire block in memory.
 */
export function limitBufferPool(): void {
  Buffer.poolSize = 8_192;
}
