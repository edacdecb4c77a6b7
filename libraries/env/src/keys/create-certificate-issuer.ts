import { createPrivateKey, X509Certificate } from "node:crypto";
import { dirname, join } from "node:path";
import type { VaultCertificates } from "@keelson/azure";
import type { Clock } from "@keelson/base";
import type { CertificateIssuer } from "@keelson/cluster";
import type { CertificateIssuerConfig } from "../config/certificate-issuer-config.ts";
import { readCertificates, readConfigFile, usable } from "../files/config-files.ts";
import { keyVaultCertificateIssuer } from "./key-vault-certificate-issuer.ts";
import { localCertificateIssuer } from "./local-certificate-issuer.ts";

export interface CertificateIssuerDeps {
  /** Parent domain of the clusters. */
  readonly domain: string;
  readonly connectCertificates: (vaultUrl: string, audience: string) => VaultCertificates;
  readonly clock: Clock;
}

export function createCertificateIssuer(
  config: CertificateIssuerConfig,
  { domain, connectCertificates, clock }: CertificateIssuerDeps,
): CertificateIssuer {
  switch (config.kind) {
    case "local": {
      const { caFile, caKeyFile } = config;
      const [certificatePem = ""] = readCertificates("certificateIssuer.caFile", caFile);
      const privateKeyPem = readConfigFile("certificateIssuer.caKeyFile", caKeyFile);
      usable("certificateIssuer.caKeyFile", caKeyFile, () => {
        if (!new X509Certificate(certificatePem).checkPrivateKey(createPrivateKey(privateKeyPem)))
          throw new Error(`it is not the key of ${caFile}`);
      });
      const authority = { certificatePem, privateKeyPem };
      return localCertificateIssuer(authority, join(dirname(caKeyFile), "certificates"));
    }
    case "keyVault": {
      const { url, audience, issuerName } = config;
      return keyVaultCertificateIssuer({
        certificates: connectCertificates(url, audience),
        ...{ issuerName, domain, clock },
      });
    }
    default:
      return config satisfies never;
  }
}
