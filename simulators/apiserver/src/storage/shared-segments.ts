import { createHash } from "node:crypto";

/** Equal segments of all clusters' objects, while any object has them. */
const kept = new Map<string, WeakRef<Buffer>>();
const unused = new FinalizationRegistry<string>((digest) => {
  if (!kept.get(digest)?.deref()) kept.delete(digest);
});

/** The bytes of an object around its `spec`, which is kept once for all objects that have the same. */
export function splitAtSpec(bytes: Buffer): readonly Buffer[] {
  const start = bytes.indexOf(',"spec":{');
  const end = bytes.lastIndexOf(',"status":{');
  // Wherever the split falls, the segments together are the object.
  const own = copyOf(Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]));
  return [own.subarray(0, start), shared(bytes.subarray(start, end)), own.subarray(start)];
}

/** Bytes of their own: in the pool of small buffers they would keep what is beside them, which soon goes. */
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
