import { createRequire } from "node:module";

/**
 * Loads each SDK at the first call of the function that returns it. The SDKs take most of a process's memory, and few processes
 * need all of them.
 */
const load = createRequire(import.meta.url);

/** Returns the HTTP pipeline module on which the SDKs are based. It is loaded at first use, like the SDKs. */
export const restPipeline = (): typeof import("@azure/core-rest-pipeline") =>
  load("@azure/core-rest-pipeline");
export const vaultSecretsSdk = (): typeof import("@azure/keyvault-secrets") =>
  load("@azure/keyvault-secrets");
export const vaultCertificatesSdk = (): typeof import("@azure/keyvault-certificates") =>
  load("@azure/keyvault-certificates");
export const identitySdk = (): typeof import("@azure/identity") => load("@azure/identity");
export const resourcesSdk = (): typeof import("@azure/arm-resources") => load("@azure/arm-resources");
export const networkSdk = (): typeof import("@azure/arm-network") => load("@azure/arm-network");
export const computeSdk = (): typeof import("@azure/arm-compute") => load("@azure/arm-compute");
export const dnsSdk = (): typeof import("@azure/arm-dns") => load("@azure/arm-dns");
export const authorizationSdk = (): typeof import("@azure/arm-authorization") =>
  load("@azure/arm-authorization");
export const identitiesSdk = (): typeof import("@azure/arm-msi") => load("@azure/arm-msi");
export const featuresSdk = (): typeof import("@azure/arm-features") => load("@azure/arm-features");
export const deploymentsSdk = (): typeof import("@azure/arm-resourcesdeployments") =>
  load("@azure/arm-resourcesdeployments");
export const storageSdk = (): typeof import("@azure/arm-storage") => load("@azure/arm-storage");
export const registriesSdk = (): typeof import("@azure/arm-containerregistry") =>
  load("@azure/arm-containerregistry");

/** Loads the SDKs that every start of the service uses, so that later calls of these functions need no loading time. */
export function loadSdks(): void {
  for (const load of [identitySdk, resourcesSdk, networkSdk, dnsSdk, registriesSdk, restPipeline]) load();
}
