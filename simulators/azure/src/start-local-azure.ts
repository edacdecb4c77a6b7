import { randomBytes, randomUUID } from "node:crypto";
import {
  createCertificateAuthority,
  issueCertificate,
  type Logger,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { instantTimings } from "./arm/timings.ts";
import {
  blobDataContributorRole,
  ownerRole,
  vaultAdministratorRole,
} from "./authorization/built-in-roles.ts";
import { type SimulatedAzure, type SimulatedAzureOptions, startSimulatedAzure } from "./simulated-azure.ts";

export interface LocalAzureOptions {
  /** Listener address. Default: 127.0.0.1. */
  readonly host?: string;
  /** Port of the listener. Default: a free port. */
  readonly port?: number;
  /** Default: `["eastus"]`. */
  readonly locations?: readonly string[];
  /** Durations of operations. Default: operations complete immediately. */
  readonly timings?: SimulatedAzureOptions["timings"];
  /** Logger. Default: nothing is logged. */
  readonly logger?: Logger;
}

/**
 * Addresses and credentials with which clients sign in as the subscription's owner. The field names are the same as in Keelson's
 * `endpoints.json`.
 */
export interface LocalAzureEndpoints {
  readonly arm: string;
  readonly login: string;
  readonly graph: string;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly location: string;
}

/** Simulated Azure in memory with one owner. */
export interface LocalAzure extends SimulatedAzure {
  readonly endpoints: LocalAzureEndpoints;
  /** CA certificate of the listener. */
  readonly caPem: string;
  readonly adminToken: Secret;
}

const validDays = 7;

/** Starts a simulated Azure in memory for tests. It generates the certificates, IDs and secrets. */
export async function startLocalAzure(options: LocalAzureOptions = {}): Promise<LocalAzure> {
  const { host = "127.0.0.1", port = 0, locations = ["eastus"], timings, logger = silentLogger } = options;
  const authority = await createCertificateAuthority("keelson simulated Azure", validDays);
  const tls = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays,
  });
  const [tenantId, subscriptionId, clientId] = [randomUUID(), randomUUID(), randomUUID()];
  const clientSecret = randomBytes(24).toString("hex");
  const adminToken = new Secret(randomBytes(32).toString("base64url"));
  const caPem = authority.certificatePem;
  const roles = [ownerRole, blobDataContributorRole, vaultAdministratorRole];
  const azure = await startSimulatedAzure({
    host,
    port,
    tls,
    state: { kind: "memory" },
    tenantId,
    subscriptionId,
    locations,
    timings: { ...instantTimings, ...timings },
    principals: [{ clientId, clientSecret: new Secret(clientSecret), displayName: "Owner", roles }],
    adminToken,
    trustedCaPem: caPem,
    publicAuthority: authority,
    clock: systemClock,
    logger,
  });
  const url = `https://localhost:${azure.port}`;
  const endpoints = {
    arm: url,
    login: url,
    graph: url,
    subscriptionId,
    tenantId,
    clientId,
    clientSecret,
    location: locations[0] ?? "",
  };
  return { ...azure, endpoints, caPem, adminToken };
}
