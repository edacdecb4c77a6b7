import { createHash } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import type { KubeAccess } from "../kubeconfig/read-kubeconfig.ts";

const contexts = new Map<string, WeakRef<SecureContext>>();
const collected = new FinalizationRegistry<string>((digest) => {
  // Another of the same may have been made meanwhile.
  if (contexts.get(digest)?.deref() === undefined) contexts.delete(digest);
});

/**
 * One for all clients that trust the same authorities and have the same certificate: without, each connection has one of its own, of
 * 42 kB. It is forgotten with the last client that has it.
 */
export function secureContextOf({ ca, cert, key }: KubeAccess["tls"]): SecureContext {
  // A digest, so that no key stays in memory for the sake of this table.
  const digest = createHash("sha256")
    .update(JSON.stringify([ca, cert, key]))
    .digest("base64");
  const known = contexts.get(digest)?.deref();
  if (known) return known;
  const made = createSecureContext({ ca, cert, key });
  contexts.set(digest, new WeakRef(made));
  collected.register(made, digest);
  return made;
}
