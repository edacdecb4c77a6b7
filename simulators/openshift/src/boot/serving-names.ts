import type { ClusterClient, ServingCertificate } from "@keelson/apiserver";
import { issueCertificate } from "@keelson/base";
import { keyPairIn } from "../base/data-objects.ts";
import { resources } from "../base/resources.ts";
import { servingSigners } from "../settings/authorities.ts";

const validDays = 397;

/**
 * Returns the API server's host names and their certificate. The installer's signer issues the certificate, as on real clusters.
 */
export function servingNames(client: ClusterClient, domain: string): ServingCertificate {
  const names = [`api.${domain}`, `api-int.${domain}`];
  return {
    names,
    async certificate() {
      for (const key of servingSigners) {
        const signer = keyPairIn(await client.find(resources.secrets, key));
        if (!signer) continue;
        const [commonName = ""] = names;
        const issued = await issueCertificate(signer, {
          commonName,
          dnsNames: names,
          usage: "server",
          validDays,
        });
        return { ...issued, certificatePem: `${issued.certificatePem.trimEnd()}\n${signer.certificatePem}` };
      }
      throw new Error(`no signer of ${names.join(" and ")} is stored`);
    },
  };
}
