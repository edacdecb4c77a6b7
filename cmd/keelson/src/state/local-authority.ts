import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createCertificateAuthority, issueCertificate, type KeyPair } from "@keelson/base";
import { azureHostNames } from "@keelson/sim-azure/azure-hosts";
import { writeFileAtomically } from "./atomic-file.ts";

const renewBeforeMs = 30 * 86_400_000;

/** The local certificate authority and what it issued. */
export interface LocalAuthority {
  readonly authority: KeyPair;
  /** For servers, by the loopback names. */
  readonly serving: KeyPair;
  /** For the simulated Azure by the names that Azure's hosts have. */
  readonly azureHosts: KeyPair;
  /** By which the simulated Azure Resource Manager shows the resource provider who it is. */
  readonly arm: KeyPair;
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
  const arm = await keep(directory, "arm", () =>
    issueCertificate(authority, { commonName: "arm.keelson.localhost", usage: "client", validDays: 397 }),
  );
  const azureHosts = await keep(directory, "azure-hosts", () =>
    issueCertificate(authority, {
      commonName: "management.azure.com",
      dnsNames: azureHostNames,
      usage: "server",
      validDays: 397,
    }),
  );
  return { authority, serving, azureHosts, arm, caFile: join(directory, "ca.pem") };
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
