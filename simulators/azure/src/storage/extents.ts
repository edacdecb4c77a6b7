/** Section of a file that contains blob content. */
export interface Extent {
  readonly file: string;
  readonly offset: number;
  readonly size: number;
}

export function sizeOf(extents: readonly Extent[]): number {
  return extents.reduce((sum, { size }) => sum + size, 0);
}

/** Returns the extents of `length` bytes from `start`. */
export function sliceExtents(extents: readonly Extent[], start: number, length: number): readonly Extent[] {
  return splitExtents(extents, [start, length])[1] ?? [];
}

/** Splits extents into lists of extents with the given sizes. */
export function splitExtents(
  extents: readonly Extent[],
  sizes: readonly number[],
): readonly (readonly Extent[])[] {
  let [at, used] = [0, 0];
  return sizes.map((size) => {
    const part: Extent[] = [];
    for (let left = size; left > 0; ) {
      const extent = extents[at];
      if (!extent) break;
      const taken = Math.min(extent.size - used, left);
      part.push({ file: extent.file, offset: extent.offset + used, size: taken });
      left -= taken;
      used += taken;
      if (used === extent.size) [at, used] = [at + 1, 0];
    }
    return part;
  });
}
