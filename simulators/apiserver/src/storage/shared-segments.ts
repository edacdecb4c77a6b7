import { createHash } from "node:crypto";

/** Segments shared by the objects of all clusters, as long as they are used. */
const kept = new Map<string, WeakRef<Buffer>>();
const unused = new FinalizationRegistry<string>((digest) => {
  if (!kept.get(digest)?.deref()) kept.delete(digest);
});

/** Splits the bytes of an object around its `spec`, which is shared by all objects with an equal one. */
export function splitAtSpec(bytes: Buffer): readonly Buffer[] {
  const start = bytes.indexOf(',"spec":{');
  const end = bytes.lastIndexOf(',"status":{');
  // The segments together are the object, even if the split is at a wrong position.
  const own = copyOf(Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]));
  return [own.subarray(0, start), shared(bytes.subarray(start, end)), own.subarray(start)];
}

/** Copies bytes out of the small-buffer pool. A pooled buffer would retain its short-lived neighbours. */
function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
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
