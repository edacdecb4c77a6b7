import { X509Certificate } from "node:crypto";
import { stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { Emit } from "../metrics/metric-spec.ts";

export const certificateMetrics = {
  "certificate.expirationdate": {
    help: "Complete days until the certificate in a Secret expires. Negative after its expiry.",
    dimensions: ["namespace", "name", "subject", "thumbprint"],
  },
  "certificate.secretnotfound": {
    help: "1 for a missing Secret, or a Secret without its certificate.",
    dimensions: ["namespace", "name"],
  },
} as const;

const dayMs = 24 * 60 * 60_000;

/**
 * Reports the expiry of the first certificate in `tls.crt`.
 * @throws Error for an invalid certificate
 */
export function reportCertificate(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  secret: KubeObject | undefined,
  now: Date,
  emit: Emit<typeof certificateMetrics>,
): void {
  const encoded = stringAt(secret, "data", "tls.crt");
  if (encoded === undefined) {
    emit("certificate.secretnotfound", 1, { namespace, name });
    return;
  }
  const certificate = readCertificate(Buffer.from(encoded, "base64"), `${namespace}/${name}`);
  const days = Math.trunc((certificate.validToDate.getTime() - now.getTime()) / dayMs);
  emit("certificate.expirationdate", days, {
    namespace,
    name,
    subject: /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? "",
    thumbprint: certificate.fingerprint.replaceAll(":", ""),
  });
}

function readCertificate(pem: Buffer, name: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new Error(`tls.crt of Secret ${name} has no certificate`, { cause });
  }
}
