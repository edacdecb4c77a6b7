import { createHash } from "node:crypto";

/** Byte segments that objects of all clusters share. Unused segments are garbage-collected. */
const kept = new Map<string, WeakRef<Buffer>>();
const unused = new FinalizationRegistry<string>((digest) => {
  if (!kept.get(digest)?.deref()) kept.delete(digest);
});

/** Splits an object's bytes before and after its `spec`. Objects with equal specs share the segment of the spec. */
export function splitAtSpec(bytes: Buffer): readonly Buffer[] {
  const start = bytes.indexOf(',"spec":{');
  const end = bytes.lastIndexOf(',"status":{');
  // If the split is at a wrong position, the joined segments are still the object's bytes.
  const own = copyOf(Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]));
  return [own.subarray(0, start), shared(bytes.subarray(start, end)), own.subarray(start)];
}

/** Copies bytes into a separate buffer. A slice of Node.js' buffer pool would keep unrelated data in memory. */
export function copyOf(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  copy.set(bytes);
  return copy;
}

function shared(segment: Buffer): Buffer {
  const digest = createHash("sha256").update(segment).digest("base64");
  const known = kept.get(digest)?.deref();
  if (known) return known;
  const copy = copyOf(segment);
  kept.set(digest, new WeakRef(copy));
  unused.register(copy, digest);
  return copy;
}
