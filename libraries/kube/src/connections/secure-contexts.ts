import { createHash } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import type { KubeAccess } from "../kubeconfig/read-kubeconfig.ts";

const contexts = new Map<string, WeakRef<SecureContext>>();
const collected = new FinalizationRegistry<string>((digest) => {
  // The callback may run after a new context was stored under the same digest. The new context must remain.
  if (contexts.get(digest)?.deref() === undefined) contexts.delete(digest);
});

/**
 * Returns the TLS context for a CA bundle and a client certificate. Clients with equal values share one context of 42 kB, instead
 * of a separate one per connection. The context is released with its last client.
 */
export function secureContextOf({ ca, cert, key }: KubeAccess["tls"]): SecureContext {
  // The map's keys are digests, so the map does not retain private keys in memory.
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
