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

/** Serving certificates of one key vault, as one principal. Errors are those of the SDK. */
export interface VaultCertificates {
  /** Who has issued the certificate of this name; `undefined` when there is none that is ready. */
  findIssuer(name: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Asks for a new version: RSA 2048, valid for three months, which the vault renews 30 days before. One that is
   * asked for already is fine.
   */
  request(name: string, policy: VaultCertificatePolicy, signal: AbortSignal): Promise<void>;
  /** False while the version that was asked for last is being made. Throws when it cannot be. */
  isIssued(name: string, signal: AbortSignal): Promise<boolean>;
  /** The newest version: its private key, its certificate and those of its authorities, in PEM. */
  read(name: string, signal: AbortSignal): Promise<Secret>;
  /** What is not there is fine. */
  delete(name: string, signal: AbortSignal): Promise<void>;
}

const serverAuthentication = "1.3.6.1.5.5.7.3.1";

/** Makes the clients; nothing is sent until one is called. */
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

/** An authority that has failed, and will be asked again by the vault: the certificate is still being made. */
function canRetry(error: unknown): boolean {
  return messageOf(error).includes("[Status:FailedCanRetry]");
}
