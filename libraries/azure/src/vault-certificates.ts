import type { CertificatePolicy } from "@azure/keyvault-certificates";
import { messageOf, Secret } from "@keelson/base";
import { statusOf } from "./azure-error.ts";
import { vaultCertificatesSdk, vaultSecretsSdk } from "./sdks.ts";
import { unlessGone } from "./unless-gone.ts";
import { type VaultOptions, vaultConnection } from "./vault-secrets.ts";

interface VaultCertificatePolicy {
  readonly issuerName: string;
  readonly commonName: string;
  /** DNS names of the certificate. The common name is added to this list if it is missing. */
  readonly dnsNames: readonly string[];
}

/** Serving certificates of one key vault, accessed as one principal. Methods throw SDK errors. */
export interface VaultCertificates {
  /** Returns the issuer of a certificate. Undefined if no certificate has been issued. */
  findIssuer(name: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Requests a new certificate version with an RSA 2048 key and a validity of three months. The vault renews the certificate 30
   * days before its expiry. No error if a request is already pending.
   */
  request(name: string, policy: VaultCertificatePolicy, signal: AbortSignal): Promise<void>;
  /** True if the last requested version has been issued, false while it is pending. Throws if the request failed. */
  isIssued(name: string, signal: AbortSignal): Promise<boolean>;
  /** Returns the newest version in PEM: private key, certificate, CA certificates. */
  read(name: string, signal: AbortSignal): Promise<Secret>;
  /** Deletes a certificate. No error if it does not exist. */
  delete(name: string, signal: AbortSignal): Promise<void>;
}

const serverAuthentication = "1.3.6.1.5.5.7.3.1";

/** Creates the clients. The first call sends the first request. */
export function connectVaultCertificates(options: VaultOptions): VaultCertificates {
  const certificates = new (vaultCertificatesSdk().CertificateClient)(...vaultConnection(options));
  const secrets = new (vaultSecretsSdk().SecretClient)(...vaultConnection(options));
  return {
    async findIssuer(name, abortSignal) {
      const certificate = await unlessGone(() => certificates.getCertificate(name, { abortSignal }));
      return certificate?.properties.enabled === true ? certificate.policy?.issuerName : undefined;
    },

    async request(name, { issuerName, commonName, dnsNames }, abortSignal) {
      const policy: CertificatePolicy = {
        issuerName,
        subject: `CN=${commonName}`,
        subjectAlternativeNames: {
          dnsNames: [commonName, ...dnsNames.filter((each) => each !== commonName)],
        },
        contentType: "application/x-pem-file",
        keyType: "RSA",
        keySize: 2048,
        exportable: true,
        validityInMonths: 3,
        enhancedKeyUsage: [serverAuthentication],
        keyUsage: ["digitalSignature", "keyEncipherment"],
        lifetimeActions: [{ action: "AutoRenew", daysBeforeExpiry: 30 }],
      };
      try {
        await certificates.beginCreateCertificate(name, policy, { abortSignal });
      } catch (error) {
        if (statusOf(error) !== 409 && !canRetry(error)) throw error;
      }
    },

    async isIssued(name, abortSignal) {
      try {
        const poller = await certificates.getCertificateOperation(name, { abortSignal });
        return poller.isDone();
      } catch (error) {
        if (canRetry(error)) return false;
        throw error;
      }
    },

    async read(name, abortSignal) {
      const { value } = await secrets.getSecret(name, { abortSignal });
      return new Secret(value ?? "");
    },

    async delete(name, abortSignal) {
      await unlessGone(() => certificates.beginDeleteCertificate(name, { abortSignal }));
    },
  };
}

/** True if the certificate authority failed and the vault will retry the request. The certificate is then still pending. */
function canRetry(error: unknown): boolean {
  return messageOf(error).includes("[Status:FailedCanRetry]");
}
