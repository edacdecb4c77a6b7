import assert from "node:assert/strict";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Secret, silentLogger } from "@keelson/base";
import { localCertificates } from "@keelson/sim-azure/testing";
import { connectAzure } from "./clients.ts";

const signal = AbortSignal.timeout(60_000);

test("clients of one environment share their connections, one after another", async () => {
  const { caPem, tls } = await localCertificates();
  let connections = 0;
  const server = createServer({ cert: tls.certificatePem, key: tls.privateKeyPem }, (request, response) => {
    request.resume().on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answerTo(request.url ?? "", `https://${request.headers.host}`)));
    });
  });
  server.keepAliveTimeout = 60_000;
  server.on("secureConnection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  try {
    for (let i = 0; i < 8; i++) {
      const { resources, call } = connectAzure({
        environment: { armEndpoint: url, loginEndpoint: url, audience: "https://arm.example/", caPem },
        credential: { tenantId: "tenant", clientId: `client${i}`, clientSecret: new Secret("s") },
        subscriptionId: "s",
        logger: silentLogger,
      });
      assert.deepEqual(await Array.fromAsync(resources.resourceGroups.list(call(signal))), []);
    }
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  // One agent for each copy of the pipeline that the SDKs bring: not one for each client and credential.
  assert.ok(connections <= 4, `${connections} connections for 8 clients`);
});

function answerTo(path: string, base: string): object {
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
