/**
 * Limits the blocks from which Node.js allocates small buffers, 64 kB by default. A connection, a server or a stored object that keeps a few bytes
 * keeps its whole block.
 */
export function limitBufferPool(): void {
  Buffer.poolSize = 8_192;
}
