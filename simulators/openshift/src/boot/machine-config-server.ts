import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import type { ClusterClient } from "@keelson/apiserver";
import type { Clock, KeyPair } from "@keelson/base";
import { stringAt, valueAt } from "@keelson/base";
import { keyPairIn } from "../base/data-objects.ts";
import { resources } from "../base/resources.ts";
import type { FetchRequest } from "../ignition/apply-ignition.ts";
import { certificatesIn } from "../settings/certificates-in.ts";
import { type ServeMachineConfig, unavailable } from "./machine-network.ts";

export interface MachineConfigServerDeps {
  readonly client: ClusterClient;
  /** Cluster domain. */
  readonly domain: string;
  readonly clock: Clock;
}

const tlsKey = { namespace: "openshift-machine-config-operator", name: "machine-config-server-tls" };
const rootKey = { namespace: "kube-system", name: "root-ca" };

/**
 * Machine config server. It runs on the bootstrap machine first and later on the masters. It returns a pool's rendered
 * configuration. Requests are function calls without TLS, but the server's certificate is still verified.
 */
export function machineConfigServer({ client, domain, clock }: MachineConfigServerDeps): ServeMachineConfig {
  /**
   * Certificate that was last verified, and the CAs that it was verified with. New machines trust the same CAs, so the signature
   * is not verified again for each machine.
   */
  let lastSigned: { readonly certificatePem: string; readonly trusted: string } | undefined;
  const isSigned = (pair: KeyPair, certificate: X509Certificate, authorities: readonly string[]): boolean => {
    const { certificatePem } = pair;
    const trusted = authorities.join("\n");
    if (lastSigned?.certificatePem === certificatePem && lastSigned.trusted === trusted) return true;
    if (!isSignedBy(certificate, authorities.flatMap(certificatesIn))) return false;
    lastSigned = { certificatePem, trusted };
    return true;
  };
  return async (request) => {
    const pair = keyPairIn(await client.find(resources.secrets, tlsKey));
    const certificate = pair && new X509Certificate(pair.certificatePem);
    const { hostname } = request.url;
    if (!certificate || !isServed(hostname, domain, certificate))
      throw unavailable(request, `dial tcp: lookup ${hostname}: no such host`);
    // Pointer configurations of earlier releases contain no CA. Machines with such a configuration trust the cluster's root CA.
    const trusted =
      request.authorities.length > 0
        ? request.authorities
        : [stringAt(await client.find(resources.configMaps, rootKey), "data", "ca.crt") ?? ""];
    const problem = isSigned(pair, certificate, trusted)
      ? problemOf(certificate, hostname, clock.now())
      : "certificate signed by unknown authority";
    if (problem) throw unavailable(request, `tls: failed to verify certificate: x509: ${problem}`);
    return configOf(client, request);
  };
}

/**
 * True if requests to the host reach the machine config server. The host is `api-int` in the cluster domain, or an IP address in
 * the certificate.
 */
function isServed(hostname: string, domain: string, certificate: X509Certificate): boolean {
  return isIP(hostname) ? certificate.checkIP(hostname) !== undefined : hostname === `api-int.${domain}`;
}

function isSignedBy(certificate: X509Certificate, authorities: readonly string[]): boolean {
  return authorities.some((pem) => {
    const authority = new X509Certificate(pem);
    return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
  });
}

/** Returns the reason why a signed certificate is invalid for a host at a time. */
function problemOf(certificate: X509Certificate, hostname: string, now: Date): string | undefined {
  if (!isIP(hostname) && certificate.checkHost(hostname) === undefined)
    return `certificate is not valid for ${hostname}`;
  if (now < certificate.validFromDate || now > certificate.validToDate)
    return "certificate has expired or is not yet valid";
  return undefined;
}

/**
 * Returns the rendered configuration of a pool. Until the rendered configuration exists, returns an Ignition configuration
 * without any content.
 */
async function configOf(client: ClusterClient, request: FetchRequest): Promise<Buffer> {
  const name = /^\/config\/([^/]+)$/.exec(request.url.pathname)?.[1];
  const pool = name && (await client.find(resources.machineConfigPools, { name }));
  if (!pool) throw unavailable(request, "HTTP status 404 Not Found");
  const rendered = stringAt(pool, "status", "configuration", "name");
  const config = rendered && (await client.find(resources.machineConfigs, { name: rendered }));
  const ignition = (config && valueAt(config, "spec", "config")) || { ignition: { version: "3.2.0" } };
  return Buffer.from(JSON.stringify(ignition));
}
