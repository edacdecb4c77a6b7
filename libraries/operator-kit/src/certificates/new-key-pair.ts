import { isIP } from "node:net";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  type KeyType,
  type ValidityPeriod,
} from "@keelson/base";
import type { CertificateSubject, RotatedSigner, RotatedTarget } from "./certificate-rotation.ts";
import type { UsableKeyPair } from "./rotated-secret.ts";

/** A clock that is a second behind accepts it. */
const backdatedMs = 1_000;

export async function newSigner(signer: RotatedSigner, keyType: KeyType, now: Date): Promise<KeyPair> {
  const { namespace, name, validityMs } = signer;
  const commonName = `${namespace}_${name}@${Math.floor(now.getTime() / 1_000)}`;
  return createCertificateAuthority(commonName, periodFrom(now, validityMs), keyType);
}

/** A certificate that ends with its signer at the latest. @throws Error when a server has no name */
export async function newTarget(
  { subject, validityMs }: Pick<RotatedTarget, "subject" | "validityMs">,
  signer: UsableKeyPair,
  keyType: KeyType,
  now: Date,
): Promise<KeyPair> {
  const validDays = periodFrom(
    now,
    Math.min(validityMs, signer.certificate.validToDate.getTime() - now.getTime()),
  );
  const issued = await issueCertificate(signer.pair, { ...namesOf(subject), validDays, keyType });
  // A server sends its CA certificate in the chain.
  const chain = subject.usage === "server" ? signer.pair.certificatePem : "";
  return { ...issued, certificatePem: issued.certificatePem + chain };
}

function namesOf(subject: CertificateSubject) {
  if (subject.usage === "client") return subject;
  const hostnames = [...new Set(subject.hostnames)].toSorted();
  const [commonName] = hostnames;
  if (commonName === undefined) throw new Error("no hostnames set");
  return {
    usage: subject.usage,
    commonName,
    dnsNames: hostnames.filter((each) => isIP(each) === 0),
    ipAddresses: hostnames.filter((each) => isIP(each) !== 0),
  };
}

/** Returns a validity period in full seconds, the resolution of certificates. */
function periodFrom(now: Date, ms: number): ValidityPeriod {
  const start = Math.floor((now.getTime() - backdatedMs) / 1_000) * 1_000;
  return { notBefore: new Date(start), notAfter: new Date(Math.floor((now.getTime() + ms) / 1_000) * 1_000) };
}
