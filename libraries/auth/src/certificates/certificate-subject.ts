import { X509Certificate } from "node:crypto";

const subjects = new WeakMap<readonly Uint8Array[], string>();

/** Subject of the certificate that a caller presented, on one line. Undefined without a certificate. */
export function certificateSubject(peerCertificates: readonly Uint8Array[]): string | undefined {
  const [own] = peerCertificates;
  if (!own) return undefined;
  const known = subjects.get(peerCertificates);
  if (known !== undefined) return known;
  const subject = new X509Certificate(own).subject.replaceAll("\n", ", ");
  // Cached by the array, which exists once per connection.
  subjects.set(peerCertificates, subject);
  return subject;
}
