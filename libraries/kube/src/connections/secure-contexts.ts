import { createHash } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import type { KubeAccess } from "../kubeconfig/read-kubeconfig.ts";

const contexts = new Map<string, WeakRef<SecureContext>>();
const collected = new FinalizationRegistry<string>((digest) => {
  // A new context with the same digest may exist by now.
  if (contexts.get(digest)?.deref() === undefined) contexts.delete(digest);
});

/**
 * Shares a TLS context of 42 kB between all clients with the same CA bundle and client certificate, instead
 * of one per connection. It is released with its last client.
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
