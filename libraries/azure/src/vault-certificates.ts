import type { CertificatePolicy } from "@azure/keyvault-certificates";
import { messageOf, Secret } from "@keelson/base";
import { isNotFound, statusOf } from "./azure-error.ts";
import { vaultCertificatesSdk, vaultSecretsSdk } from "./sdks.ts";
import { type VaultOptions, vaultConnection } from "./vault-secrets.ts";

interface VaultCertificatePolicy {
  readonly issuerName: string;
  readonly commonName: string;
  /** Besides the common name, if that is not among them. */
  readonly dnsNames: readonly string[];
}

/** Serving certificates of one key vault, accessed as one principal. Errors are those of the SDK. */
export interface VaultCertificates {
  /** Returns the issuer of the certificate with this name. Undefined without an issued certificate. */
  findIssuer(name: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Requests a new version: RSA 2048, valid for three months, renewed by the vault 30 days before its expiry.
   * A pending request is not an error.
   */
  request(name: string, policy: VaultCertificatePolicy, signal: AbortSignal): Promise<void>;
  /** False while the last requested version is pending. Throws if it failed. */
  isIssued(name: string, signal: AbortSignal): Promise<boolean>;
  /** Returns the newest version in PEM: private key, certificate and CA certificates. */
  read(name: string, signal: AbortSignal): Promise<Secret>;
  /** Deletes the certificate. A missing one is not an error. */
  delete(name: string, signal: AbortSignal): Promise<void>;
}

const serverAuthentication = "1.3.6.1.5.5.7.3.1";

/** Creates the clients. Nothing is sent before the first call. */
export function connectVaultCertificates(options: VaultOptions): VaultCertificates {
  const certificates = new (vaultCertificatesSdk().CertificateClient)(...vaultConnection(options));
  const secrets = new (vaultSecretsSdk().SecretClient)(...vaultConnection(options));
  return {
    async findIssuer(name, abortSignal) {
      try {
        const { policy, properties } = await certificates.getCertificate(name, { abortSignal });
        return properties.enabled === true ? policy?.issuerName : undefined;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
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
      try {
        await certificates.beginDeleteCertificate(name, { abortSignal });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  };
}

/** True if the certificate authority failed and the vault will retry. The certificate is still pending. */
function canRetry(error: unknown): boolean {
  return messageOf(error).includes("[Status:FailedCanRetry]");
}
