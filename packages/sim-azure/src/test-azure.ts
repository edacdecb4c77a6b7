import { randomBytes } from "node:crypto";
import { type AzureClients, type AzureConnectionOptions, connectAzure } from "@keelson/azure";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { instantTimings } from "./arm/timings.ts";
import { type SimulatedAzure, type SimulatedAzureOptions, startSimulatedAzure } from "./simulated-azure.ts";

export const tenantId = "64dc69e4-d083-49fc-9569-ebece1dd1408";
export const subscriptionId = "7a3036d1-60a1-4605-8a41-44955e050804";
export const clientId = "11111111-2222-4333-8444-555555555555";
export const clientSecret = new Secret(randomBytes(16).toString("hex"));
export const adminToken = new Secret(randomBytes(16).toString("hex"));
export const location = "eastus";

let certificates: Promise<{ readonly caPem: string; readonly tls: KeyPair }> | undefined;

/** One local authority per test process, with a certificate for localhost. */
export function localCertificates(): Promise<{ readonly caPem: string; readonly tls: KeyPair }> {
  certificates ??= createCertificateAuthority("simulated Azure test CA", 1).then(async (ca) => ({
    caPem: ca.certificatePem,
    tls: await issueCertificate(ca, {
      commonName: "localhost",
      dnsNames: ["localhost"],
      ipAddresses: ["127.0.0.1"],
      usage: "server",
      validDays: 1,
    }),
  }));
  return certificates;
}

export interface TestAzure extends SimulatedAzure {
  readonly caPem: string;
  readonly clients: AzureClients;
  connect(change?: Partial<AzureConnectionOptions>): AzureClients;
}

/** A simulated Azure on a free port, in memory and without waits unless `change` says otherwise. */
export async function startTestAzure(change: Partial<SimulatedAzureOptions> = {}): Promise<TestAzure> {
  const { caPem, tls } = await localCertificates();
  const azure = await startSimulatedAzure({
    host: "127.0.0.1",
    port: 0,
    tls,
    state: { kind: "memory" },
    tenantId,
    subscriptionId,
    locations: [location, "westeurope"],
    principals: [{ clientId, clientSecret, displayName: "keelson test" }],
    adminToken,
    timings: instantTimings,
    clock: systemClock,
    logger: silentLogger,
    ...change,
  });
  const connect = (options: Partial<AzureConnectionOptions> = {}) => connectTo(azure.url, caPem, options);
  return { ...azure, caPem, clients: connect(), connect };
}

export function connectTo(
  url: string,
  caPem: string,
  change: Partial<AzureConnectionOptions> = {},
): AzureClients {
  return connectAzure({
    environment: {
      armEndpoint: url,
      loginEndpoint: url,
      audience: "https://management.azure.com/",
      caPem,
      pollIntervalMs: 20,
    },
    credential: { tenantId, clientId, clientSecret },
    subscriptionId,
    logger: silentLogger,
    ...change,
  });
}
