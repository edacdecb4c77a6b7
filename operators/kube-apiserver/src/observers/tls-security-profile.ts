import { isDeepStrictEqual } from "node:util";
import { valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt } from "@keelson/operator-kit";
import { tlsProfile } from "../config/tls-profile.ts";
import { clusterInput, normal, quotedList, singleton } from "./inputs.ts";

const versionPath = ["servingInfo", "minTLSVersion"];
const ciphersPath = ["servingInfo", "cipherSuites"];
const reason = "ObserveTLSSecurityProfile";

export const observeTlsSecurityProfile: ConfigObserver = {
  name: "ObserveTLSSecurityProfile",
  paths: [versionPath, ciphersPath],
  inputs: [clusterInput(resources.apiServers)],
  observe({ objects, existing, report }) {
    const apiServer = objects.find(resources.apiServers, singleton);
    const { minTlsVersion, cipherSuites } = tlsProfile(valueAt(apiServer, "spec", "tlsSecurityProfile"));
    requireStartable(minTlsVersion, cipherSuites);
    if (configAt(existing, versionPath) !== minTlsVersion)
      report(normal(reason, `minTLSVersion changed to ${minTlsVersion}`));
    if (!isDeepStrictEqual(configAt(existing, ciphersPath), cipherSuites))
      report(normal(reason, `cipherSuites changed to ${quotedList(cipherSuites)}`));
    return { config: { servingInfo: { minTLSVersion: minTlsVersion, cipherSuites } } };
  },
};

const versions = ["VersionTLS10", "VersionTLS11", "VersionTLS12", "VersionTLS13"];

/** Cipher suites that HTTP/2 requires for TLS versions before 1.3. At least one of them must be enabled. */
const requiredCiphers = ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"];

/**
 * Validates a TLS profile. If the profile has no ciphers, kube-apiserver uses its defaults.
 * @throws Error if kube-apiserver would not start with the profile
 */
function requireStartable(minTlsVersion: string, cipherSuites: readonly string[]): void {
  const field = "spec.tlsSecurityProfile.custom";
  if (!versions.includes(minTlsVersion))
    throw new Error(`${field}.minTLSVersion: unknown TLS version ${JSON.stringify(minTlsVersion)}`);
  if (minTlsVersion === "VersionTLS13" || cipherSuites.length === 0) return;
  if (!requiredCiphers.some((each) => cipherSuites.includes(each)))
    throw new Error(
      `${field}.ciphers lacks an AES_128_GCM_SHA256 cipher, which HTTP/2 requires: ECDHE-RSA-AES128-GCM-SHA256 or ECDHE-ECDSA-AES128-GCM-SHA256`,
    );
}
