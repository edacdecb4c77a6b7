import { randomBytes } from "node:crypto";
import { request } from "node:https";
import { type AzureClients, type AzureConnectionOptions, connectAzure } from "@keelson/azure";
import {
  createCertificateAuthority,
  issueCertificate,
  type JsonValue,
  type KeyPair,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { instantTimings } from "./arm/timings.ts";
import { asJson } from "./json.ts";
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

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body as JSON, `undefined` when it is not. */
  readonly json: JsonValue | undefined;
}

export interface RawCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface TestAzure extends SimulatedAzure {
  readonly caPem: string;
  readonly clients: AzureClients;
  /** Sends a request that no SDK would; the path is sent as it stands. */
  raw(path: string, call?: RawCall): Promise<RawAnswer>;
  /** The same, signed in, with JSON. */
  arm(method: string, path: string, body?: JsonValue): Promise<RawAnswer>;
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
    principals: [{ clientId, clientSecret, displayName: "keelson test", firstParty: true }],
    adminToken,
    trustedCaPem: caPem,
    clock: systemClock,
    logger: silentLogger,
    ...change,
    timings: { ...instantTimings, ...change.timings },
  });
  const connect = (options: Partial<AzureConnectionOptions> = {}) => connectTo(azure.url, caPem, options);
  const clients = connect();
  let signedIn = clients;
  const raw = (path: string, call: RawCall = {}) => send(azure.port, caPem, path, call);
  return {
    ...azure,
    caPem,
    clients,
    connect,
    raw,
    async arm(method, path, body) {
      const call = async (as: AzureClients) => {
        const token = await as.getToken(AbortSignal.timeout(10_000));
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        return raw(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
      };
      const answer = await call(signedIn);
      // The clients keep a token that the world's time has left behind.
      if (!answer.text.includes("ExpiredAuthenticationToken")) return answer;
      signedIn = connect();
      return call(signedIn);
    },
  };
}

/** A server that does not answer fails its test, and holds up no others. */
const rawTimeoutMs = 10_000;

function send(port: number, ca: string, path: string, call: RawCall): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { method = "GET", headers = {}, body } = call;
    const signal = AbortSignal.timeout(rawTimeoutMs);
    const outgoing = request(
      { host: "127.0.0.1", servername: "localhost", port, ca, path, method, headers, agent: false, signal },
      (incoming) => {
        let text = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (chunk) => {
          text += chunk;
        });
        incoming.on("error", reject);
        incoming.on("end", () =>
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parse(text) }),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function parse(text: string): JsonValue | undefined {
  try {
    return asJson(JSON.parse(text));
  } catch {
    return undefined;
  }
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
