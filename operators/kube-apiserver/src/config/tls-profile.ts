import { valueAt } from "@keelson/base";
import { cipherSuiteNames } from "@keelson/operator-kit";

export interface TlsProfile {
  readonly minTlsVersion: string;
  /** IANA names. */
  readonly cipherSuites: readonly string[];
}

const modern = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];
const intermediate = [
  ...modern,
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
];
const old = [
  ...intermediate,
  "ECDHE-ECDSA-AES128-SHA256",
  "ECDHE-RSA-AES128-SHA256",
  "ECDHE-ECDSA-AES128-SHA",
  "ECDHE-RSA-AES128-SHA",
  "ECDHE-ECDSA-AES256-SHA384",
  "ECDHE-RSA-AES256-SHA384",
  "ECDHE-ECDSA-AES256-SHA",
  "ECDHE-RSA-AES256-SHA",
  "AES128-GCM-SHA256",
  "AES256-GCM-SHA384",
  "AES128-SHA256",
  "AES256-SHA256",
  "AES128-SHA",
  "AES256-SHA",
  "DES-CBC3-SHA",
];

/**
 * Mozilla's server-side TLS profiles.
 * @see openshift/api config/v1/types_tlssecurityprofile.go
 */
const profiles = new Map([
  ["Old", { minTlsVersion: "VersionTLS10", ciphers: old }],
  ["Intermediate", { minTlsVersion: "VersionTLS12", ciphers: intermediate }],
  ["Modern", { minTlsVersion: "VersionTLS13", ciphers: modern }],
]);
const fallback = { minTlsVersion: "VersionTLS12", ciphers: intermediate };

/**
 * Returns the TLS profile for `spec.tlsSecurityProfile` of an APIServer. Returns Intermediate if the profile is missing, unknown,
 * or a custom profile without content.
 */
export function tlsProfile(tlsSecurityProfile: unknown): TlsProfile {
  const type = valueAt(tlsSecurityProfile, "type");
  const named = typeof type === "string" ? profiles.get(type) : undefined;
  const { minTlsVersion, ciphers } =
    named ?? (type === "Custom" ? customProfile(tlsSecurityProfile) : fallback);
  return { minTlsVersion, cipherSuites: ciphers.flatMap((name) => cipherSuiteNames[name] ?? []) };
}

function customProfile(tlsSecurityProfile: unknown): { minTlsVersion: string; ciphers: readonly string[] } {
  const minTlsVersion = valueAt(tlsSecurityProfile, "custom", "minTLSVersion");
  const ciphers = valueAt(tlsSecurityProfile, "custom", "ciphers");
  if (typeof minTlsVersion !== "string" && !Array.isArray(ciphers)) return fallback;
  return {
    minTlsVersion: typeof minTlsVersion === "string" ? minTlsVersion : fallback.minTlsVersion,
    ciphers: Array.isArray(ciphers) ? ciphers.filter((name) => typeof name === "string") : [],
  };
}
