/**
 * Splits a stream into chunks of `bytes` bytes. The last chunk may be shorter. The first `skip` bytes are omitted. A chunk is
 * valid only until the next chunk is requested.
 */
export async function* chunksOf(
  body: AsyncIterable<Buffer>,
  bytes: number,
  skip = 0,
): AsyncGenerator<Buffer, void, undefined> {
  const piece = Buffer.allocUnsafe(bytes);
  let filled = 0;
  let toSkip = skip;
  for await (const part of body) {
    let rest = part;
    if (toSkip > 0) {
      const skipped = Math.min(toSkip, rest.length);
      toSkip -= skipped;
      rest = rest.subarray(skipped);
    }
    while (rest.length > 0) {
      const taken = rest.copy(piece, filled, 0, Math.min(rest.length, bytes - filled));
      filled += taken;
      rest = rest.subarray(taken);
      if (filled === bytes) {
        yield piece;
        filled = 0;
      }
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}
