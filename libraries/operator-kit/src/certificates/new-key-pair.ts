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

/**
 * `notBefore` is this number of ms in the past. A client with a clock that is one second behind therefore accepts the
 * certificate.
 */
const backdatedMs = 1_000;

export async function newSigner(signer: RotatedSigner, keyType: KeyType, now: Date): Promise<KeyPair> {
  const { namespace, name, validityMs } = signer;
  const commonName = `${namespace}_${name}@${Math.floor(now.getTime() / 1_000)}`;
  return createCertificateAuthority(commonName, periodFrom(now, validityMs), keyType);
}

/**
 * Returns a new key pair. Its certificate expires no later than the signer.
 * @throws Error if a server certificate has no name
 */
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
  // A server sends its signer's certificate together with its own, so the PEM string contains both.
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

/** Returns a validity period that starts and ends at full seconds. Certificates have no finer resolution. */
function periodFrom(now: Date, ms: number): ValidityPeriod {
  const start = Math.floor((now.getTime() - backdatedMs) / 1_000) * 1_000;
  return { notBefore: new Date(start), notAfter: new Date(Math.floor((now.getTime() + ms) / 1_000) * 1_000) };
}
