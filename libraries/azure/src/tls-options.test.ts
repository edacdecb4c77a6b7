import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Secret, silentLogger } from "@keelson/base";
import { localCertificates } from "@keelson/sim-azure/testing";
import { signInBySecret } from "./client-credentials.ts";
import { type AzureConnectionOptions, connectAzure } from "./clients.ts";

const signal = AbortSignal.timeout(900_000);

test("clients of one environment share their connections, one after another", async () => {
  await using azure = await startAzure();
  const { environment } = azure;
  for (let i = 0; i < 8; i++) {
    const credential = { tenantId: "tenant", clientId: `client${i}`, clientSecret: new Secret("s") };
    const { resources, call } = connect({ environment, credential });
    assert.deepEqual(await Array.fromAsync(resources.resourceGroups.list(call(signal))), []);
  }
  // Each copy of the SDK pipeline has one agent for all clients.
  assert.ok(azure.connections() <= 4, `${azure.connections()} connections for 8 clients`);
});

test("tokens, SDKs and raw requests take one connection", async () => {
  await using azure = await startAzure();
  const { environment } = azure;
  for (let i = 0; i < 8; i++) {
    const principal = { tenantId: "tenant", clientId: `client${i}`, clientSecret: new Secret("s") };
    const { resources, raw, call } = connect({
      environment,
      credential: signInBySecret(environment, principal),
    });
    assert.deepEqual(await Array.fromAsync(resources.resourceGroups.list(call(signal))), []);
    assert.deepEqual(await raw.get("/subscriptions/s", { "api-version": "2022-12-01" }, signal), {
      value: [],
    });
  }
  assert.equal(azure.connections(), 1);
});

function connect(options: Pick<AzureConnectionOptions, "environment" | "credential">) {
  return connectAzure({ ...options, subscriptionId: "s", logger: silentLogger });
}

async function startAzure() {
  const { caPem, tls } = await localCertificates();
  let connections = 0;
  const server = createServer({ cert: tls.certificatePem, key: tls.privateKeyPem }, (request, response) => {
    request.resume().on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(responseTo(request.url ?? "", `https://${request.headers.host}`)));
    });
  });
  server.keepAliveTimeout = 60_000;
  server.on("secureConnection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    environment: { armEndpoint: url, loginEndpoint: url, audience: "https://arm.example/", caPem },
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function responseTo(path: string, base: string): object {
  if (path.includes("openid-configuration")) {
    return {
      issuer: `${base}/tenant/v2.0`,
      authorization_endpoint: `${base}/tenant/oauth2/v2.0/authorize`,
      token_endpoint: `${base}/tenant/oauth2/v2.0/token`,
      jwks_uri: `${base}/tenant/discovery/v2.0/keys`,
    };
  }
  if (path.includes("/token")) return { token_type: "Bearer", expires_in: 3_599, access_token: "t" };
  return { value: [] };
}
