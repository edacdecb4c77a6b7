import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createCertificateAuthority, issueCertificate, type KeyPair, messageOf } from "@keelson/base";
import { azureHostNames } from "@keelson/sim-azure/azure-hosts";
import { cliErrors } from "../output/cli-errors.ts";
import { writeFileAtomically } from "../state/atomic-file.ts";

const renewBeforeMs = 30 * 86_400_000;
/**
 * Validity of the portal's certificate in days. Entra ID checks the certificate by the simulated clock, which users advance by
 * years. If this certificate expired, the portal could not show the effect of other expired credentials.
 */
const portalClientDays = 3_600;

/** Name constraints of the CA. If the CA's key is stolen, browsers still reject certificates that it issues for other sites. */
const permitted = {
  dnsNames: ["localhost", ...azureHostNames.map((name) => name.replace(/^\*\./, ""))],
  networks: [
    Uint8Array.of(127, 0, 0, 0, 255, 0, 0, 0),
    Uint8Array.from([...Array(15).fill(0), 1, ...Array(16).fill(255)]),
  ],
};

/** Local CA and the certificates that it has issued. */
export interface LocalAuthority {
  readonly authority: KeyPair;
  /** Serving certificate for localhost and loopback addresses. */
  readonly serving: KeyPair;
  /** Serving certificate of the simulated Azure for Azure's host names. */
  readonly azureHosts: KeyPair;
  /** Client certificate that the simulated Azure Resource Manager presents to the resource provider. */
  readonly arm: KeyPair;
  /** Certificate of the portal's application in Entra ID. */
  readonly portalClient: KeyPair;
  readonly caFile: string;
}

/**
 * Reads the CA and certificates from the state directory. Creates missing certificates and replaces expiring ones.
 * @throws StateUnreadable
 */
export async function loadOrCreateAuthority(directory: string): Promise<LocalAuthority> {
  const authority = await keepPair(directory, "ca", undefined, () =>
    createCertificateAuthority("Keelson local authority", 3650, "ecdsa", undefined, permitted),
  );
  const serving = await keepPair(directory, "tls", authority, () =>
    issueCertificate(authority, {
      commonName: "localhost",
      dnsNames: ["localhost", "*.localhost"],
      ipAddresses: ["127.0.0.1", "::1"],
      usage: "server",
      validDays: 397,
    }),
  );
  const arm = await keepPair(directory, "arm", authority, () =>
    issueCertificate(authority, { commonName: "arm.keelson.localhost", usage: "client", validDays: 397 }),
  );
  const azureHosts = await keepPair(directory, "azure-hosts", authority, () =>
    issueCertificate(authority, {
      commonName: "management.azure.com",
      dnsNames: azureHostNames,
      usage: "server",
      validDays: 397,
    }),
  );
  const portalClient = await keepPair(directory, "portal-client", authority, () =>
    issueCertificate(authority, {
      commonName: "portal-client.localhost",
      usage: "client",
      validDays: portalClientDays,
    }),
  );
  return { authority, serving, azureHosts, arm, portalClient, caFile: join(directory, "ca.pem") };
}

/**
 * Returns the stored certificate. Creates and stores a new certificate if the stored one is missing, has a different issuer, or
 * expires soon.
 */
export async function keepPair(
  directory: string,
  name: string,
  issuer: KeyPair | undefined,
  make: () => Promise<KeyPair>,
): Promise<KeyPair> {
  const certificatePath = join(directory, `${name}.pem`);
  const keyPath = join(directory, `${name}-key.pem`);
  if (existsSync(certificatePath) && existsSync(keyPath)) {
    const pair = readPair(certificatePath, keyPath);
    const { validToDate } = new X509Certificate(pair.certificatePem);
    if (validToDate.getTime() - Date.now() > renewBeforeMs && isIssuedBy(pair, issuer)) return pair;
  }
  const pair = await make();
  // Writes the key first. If the process crashes before it writes the certificate, the next start creates both again.
  writeFileAtomically(keyPath, pair.privateKeyPem, 0o600);
  writeFileAtomically(certificatePath, pair.certificatePem, 0o644);
  return pair;
}

function isIssuedBy({ certificatePem }: KeyPair, issuer: KeyPair | undefined): boolean {
  if (!issuer) return true;
  return new X509Certificate(certificatePem).verify(new X509Certificate(issuer.certificatePem).publicKey);
}

function readPair(certificatePath: string, keyPath: string): KeyPair {
  const certificatePem = readFileSync(certificatePath, "utf8");
  const privateKeyPem = readFileSync(keyPath, "utf8");
  try {
    const certificate = new X509Certificate(certificatePem);
    if (!certificate.checkPrivateKey(createPrivateKey(privateKeyPem))) throw new Error("they do not match");
    return { certificatePem, privateKeyPem };
  } catch (cause) {
    throw cliErrors.StateUnreadable(
      `${certificatePath} and ${keyPath} cannot be used (${messageOf(cause)}). Restore them from a backup, ` +
        "or remove both to create new ones. Existing clusters trust only the CA of their creation",
      { cause },
    );
  }
}
