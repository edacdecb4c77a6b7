import { createHash, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { issueCertificate, type KeyPair } from "@keelson/base";
import type { CertificateIssuer } from "@keelson/cluster";

const validDays = 90;
const renewBeforeMs = 30 * 86_400_000;

/**
 * Issues serving certificates of clusters from a local CA and stores them in a directory. The certificates are valid for 90 days
 * and renewed 30 days before expiry, like the certificates of the public issuer.
 */
export function localCertificateIssuer(authority: KeyPair, directory: string): CertificateIssuer {
  const pathOf = (name: string) =>
    join(directory, `${createHash("sha256").update(name).digest("hex").slice(0, 32)}.json`);
  return {
    async forget(name) {
      rmSync(pathOf(name), { force: true });
    },
    async issue(name, dnsNames, signal) {
      signal.throwIfAborted();
      const path = pathOf(name);
      const kept = read(path, dnsNames);
      if (kept) return { ...kept, caPem: authority.certificatePem };
      const [commonName = name] = dnsNames;
      const pair = await issueCertificate(authority, { commonName, dnsNames, usage: "server", validDays });
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.new`, JSON.stringify(pair), { mode: 0o600 });
      renameSync(`${path}.new`, path);
      return { ...pair, caPem: authority.certificatePem };
    },
  };
}

/**
 * Returns the stored certificate if it has the names `dnsNames` and is valid for at least 30 more days. Ignores damaged files.
 */
function read(path: string, dnsNames: readonly string[]): KeyPair | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return stillGood(JSON.parse(readFileSync(path, "utf8")), dnsNames);
  } catch {
    return undefined;
  }
}

function stillGood(pair: KeyPair, dnsNames: readonly string[]): KeyPair | undefined {
  const certificate = new X509Certificate(pair.certificatePem);
  const left = Date.parse(certificate.validTo) - Date.now();
  const names = certificate.subjectAltName?.split(", ").map((entry) => entry.replace("DNS:", "")) ?? [];
  return left > renewBeforeMs && dnsNames.every((each) => names.includes(each)) ? pair : undefined;
}
