import { randomBytes, randomUUID } from "node:crypto";
import { Agent, request } from "node:https";
import { type AzureClients, type AzureConnectionOptions, connectAzure } from "@keelson/azure";
import {
  createCertificateAuthority,
  issueCertificate,
  type JsonObject,
  type JsonValue,
  type KeyPair,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { instantTimings } from "../arm/timings.ts";
import {
  blobDataContributorRole,
  ownerRole,
  vaultAdministratorRole,
} from "../authorization/built-in-roles.ts";
import { asJson, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { type SimulatedAzure, type SimulatedAzureOptions, startSimulatedAzure } from "../simulated-azure.ts";

export const tenantId = "64dc69e4-d083-49fc-9569-ebece1dd1408";
export const subscriptionId = "7a3036d1-60a1-4605-8a41-44955e050804";
export const clientId = "11111111-2222-4333-8444-555555555555";
export const clientSecret = new Secret(randomBytes(16).toString("hex"));
export const adminToken = new Secret(randomBytes(16).toString("hex"));
export const location = "eastus";

let certificates: Promise<{ readonly caPem: string; readonly tls: KeyPair }> | undefined;

/** Returns the CA of the test process and a server certificate for localhost. */
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

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Body parsed as JSON. `undefined` if the body is not JSON. */
  readonly json: JsonValue | undefined;
}

export interface RawCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Role that is assigned to a principal. Default scope: the subscription. */
export interface TestRole {
  readonly role: string;
  readonly scope?: string;
}

/** Application registered by a test. */
export interface TestPrincipal {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  /** Object ID of the application's service principal. */
  readonly objectId: string;
}

/** Roles of the test subscription's operator: owner, and data access to storage accounts and vaults. */
export const operatorRoles: readonly string[] = [ownerRole, blobDataContributorRole, vaultAdministratorRole];

export interface TestAzure extends SimulatedAzure {
  readonly caPem: string;
  readonly clients: AzureClients;
  /** Sends an unmodified request on a new connection. The path is not encoded. */
  raw(path: string, call?: RawCall): Promise<RawResponse>;
  /** Sends an authenticated request with a JSON body. */
  arm(method: string, path: string, body?: JsonValue): Promise<RawResponse>;
  connect(change?: Partial<AzureConnectionOptions>): AzureClients;
  /** Registers an application in Microsoft Graph and assigns these roles to its service principal. */
  register(...roles: readonly TestRole[]): Promise<TestPrincipal>;
  /** Replaces all certificates of an application in Microsoft Graph. */
  useCertificates(clientId: string, certificates: readonly KeyPair[]): Promise<void>;
  /** Assigns a role to a principal through ARM and returns the assignment's ID. */
  assign(objectId: string, role: TestRole): Promise<string>;
}

/** Starts a simulated Azure on a free port. Default: in memory and without delays. `change` overrides options. */
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
    principals: [
      { clientId, clientSecret, displayName: "keelson test", firstParty: true, roles: operatorRoles },
    ],
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
  // Connections are reused, because a TLS handshake takes longer than most requests.
  const connections = new Agent({ keepAlive: true });
  const raw = (path: string, call: RawCall = {}) => send(azure.port, caPem, path, call, false);
  const assign = async (principalId: string, { role, scope = subscriptionScope }: TestRole) => {
    const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/${randomUUID()}`;
    const roleDefinitionId = `${subscriptionScope}/providers/Microsoft.Authorization/roleDefinitions/${role}`;
    const properties = { principalId, roleDefinitionId, principalType: "ServicePrincipal" };
    expect(await arm("PUT", `${id}?api-version=2022-04-01`, { properties }));
    return id;
  };
  const arm: TestAzure["arm"] = async (method, path, body) => {
    const call = async (as: AzureClients) => {
      const token = await as.getToken(AbortSignal.timeout(900_000));
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const content = body === undefined ? {} : { body: JSON.stringify(body) };
      return send(azure.port, caPem, path, { method, headers, ...content }, connections);
    };
    const response = await call(signedIn);
    // A cached token may have expired because a test advanced the subscription's clock. In this case, the request is repeated
    // with a new token.
    if (!response.text.includes("ExpiredAuthenticationToken")) return response;
    signedIn = connect();
    return call(signedIn);
  };
  const graph = async (path: string, body?: JsonObject, method = body ? "POST" : "GET") => {
    const environment = { ...environmentOf(azure.url, caPem), audience: "https://graph.microsoft.com" };
    const token = await connect({ environment }).getToken(AbortSignal.timeout(900_000));
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = expect(
      await raw(`/v1.0/${path}`, { method, headers, body: body && JSON.stringify(body) }),
    );
    return (name: string) =>
      nonEmptyStringAt(objectsAt(response.json, "value")[0] ?? response.json, name) ?? "";
  };
  return {
    ...azure,
    caPem,
    clients,
    connect,
    raw,
    arm,
    assign,
    async register(...roles) {
      const application = await graph("applications", { displayName: "registered by a test" });
      const clientId = application("appId");
      const password = await graph(`applications/${application("id")}/addPassword`, {});
      const objectId = (await graph("servicePrincipals", { appId: clientId }))("id");
      for (const role of roles) await assign(objectId, role);
      return { tenantId, clientId, clientSecret: new Secret(password("secretText")), objectId };
    },
    async useCertificates(clientId, certificates) {
      const found = await graph(`applications?$filter=${encodeURIComponent(`appId eq '${clientId}'`)}`);
      const keyCredentials = certificates.map(({ certificatePem }) => ({
        type: "AsymmetricX509Cert",
        usage: "Verify",
        key: certificatePem.replace(/-----[^-]+-----|\s/g, ""),
      }));
      await graph(`applications/${found("id")}`, { keyCredentials }, "PATCH");
    },
    async [Symbol.asyncDispose]() {
      connections.destroy();
      await azure[Symbol.asyncDispose]();
    },
  };
}

const subscriptionScope = `/subscriptions/${subscriptionId}`;

function expect(response: RawResponse): RawResponse {
  if (response.status < 300) return response;
  throw new Error(`${response.status} ${response.text}`);
}

/** Time limit in ms for a server response. A slower response fails the test. */
const rawTimeoutMs = 10_000;

function send(
  port: number,
  ca: string,
  path: string,
  call: RawCall,
  agent: Agent | false,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const { method = "GET", headers = {}, body } = call;
    const signal = AbortSignal.timeout(rawTimeoutMs);
    const outgoing = request(
      { host: "127.0.0.1", servername: "localhost", port, ca, path, method, headers, agent, signal },
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
    environment: environmentOf(url, caPem),
    credential: { tenantId, clientId, clientSecret },
    subscriptionId,
    logger: silentLogger,
    ...change,
  });
}

function environmentOf(url: string, caPem: string): AzureConnectionOptions["environment"] {
  return {
    armEndpoint: url,
    loginEndpoint: url,
    audience: "https://management.azure.com/",
    caPem,
    pollIntervalMs: 20,
  };
}
