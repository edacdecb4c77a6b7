import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "@keelson/base";
import { writeFileAtomically } from "./atomic-file.ts";

const renewBeforeMs = 30 * 86_400_000;

/** The local certificate authority and the serving certificate that it issued for the loopback names. */
export interface LocalAuthority {
  readonly authority: KeyPair;
  readonly serving: KeyPair;
  readonly caFile: string;
}

/** Reads them from the state directory; makes what is missing or about to expire. */
export async function loadOrCreateAuthority(directory: string): Promise<LocalAuthority> {
  const authority = await keep(directory, "ca", () =>
    createCertificateAuthority("Keelson local authority", 3650),
  );
  const serving = await keep(directory, "tls", () =>
    issueCertificate(authority, {
      commonName: "localhost",
      dnsNames: ["localhost", "*.localhost"],
      ipAddresses: ["127.0.0.1", "::1"],
      usage: "server",
      validDays: 397,
    }),
  );
  return { authority, serving, caFile: join(directory, "ca.pem") };
}

async function keep(directory: string, name: string, make: () => Promise<KeyPair>): Promise<KeyPair> {
  const certificatePath = join(directory, `${name}.pem`);
  const keyPath = join(directory, `${name}-key.pem`);
  if (existsSync(certificatePath) && existsSync(keyPath)) {
    const certificatePem = readFileSync(certificatePath, "utf8");
    const left = Date.parse(new X509Certificate(certificatePem).validTo) - Date.now();
    if (left > renewBeforeMs) return { certificatePem, privateKeyPem: readFileSync(keyPath, "utf8") };
  }
  const pair = await make();
  // The key first: a certificate without its key would be taken for a whole pair by a later start.
  writeFileAtomically(keyPath, pair.privateKeyPem, 0o600);
  writeFileAtomically(certificatePath, pair.certificatePem, 0o644);
  return pair;
}
