import type { KubeObject } from "@keelson/kube";

/** Annotations and a label of managed certificates (openshift/library-go pkg/operator/certrotation). */
export const annotations = {
  notBefore: "auth.openshift.io/certificate-not-before",
  notAfter: "auth.openshift.io/certificate-not-after",
  issuer: "auth.openshift.io/certificate-issuer",
  hostnames: "auth.openshift.io/certificate-hostnames",
  refreshPeriod: "certificates.openshift.io/refresh-period",
  component: "openshift.io/owning-component",
  description: "openshift.io/description",
} as const;

export const typeLabel = "auth.openshift.io/managed-certificate-type";

export type ManagedCertificateType = "signer" | "target" | "ca-bundle";

/** Formats a time like Go's `Time.String` in UTC: `2026-01-16 00:00:00 +0000 UTC`. */
export function goTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace("T", " ")} +0000 UTC`;
}

/**
 * Returns the wanted annotations that the object lacks or has with a different value. Returns undefined if the object has all
 * wanted annotations.
 */
export function missingAnnotations(
  { metadata }: KubeObject,
  wanted: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  const missing = Object.entries(wanted).filter(([name, value]) => metadata.annotations?.[name] !== value);
  return missing.length === 0 ? undefined : Object.fromEntries(missing);
}
