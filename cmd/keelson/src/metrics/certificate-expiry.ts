import { X509Certificate } from "node:crypto";
import type { KeyPair, Metrics } from "@keelson/base";

/** Returns a function that exports the expiry of each certificate that the process uses as a server or client. */
export function certificateExpiry(metrics: Metrics): (certificate: string, pair: KeyPair) => void {
  const expiry = metrics.gauge<"certificate">({
    name: "service_certificate_expiry_seconds",
    help: "Time at which a certificate of the service expires, in seconds since 1970, by field of the configuration",
    labels: ["certificate"],
  });
  return (certificate, { certificatePem }) =>
    expiry.set(new X509Certificate(certificatePem).validToDate.getTime() / 1_000, { certificate });
}
