import { X509Certificate } from "node:crypto";

const subjects = new WeakMap<readonly Uint8Array[], string>();

/** Returns the subject of the caller's certificate on one line. Returns undefined if the caller sent no certificate. */
export function certificateSubject(peerCertificates: readonly Uint8Array[]): string | undefined {
  const [own] = peerCertificates;
  if (!own) return undefined;
  const known = subjects.get(peerCertificates);
  if (known !== undefined) return known;
  const subject = new X509Certificate(own).subject.replaceAll("\n", ", ");
  // Each connection has one certificate array, so the subject is computed once per connection.
  subjects.set(peerCertificates, subject);
  return subject;
}
