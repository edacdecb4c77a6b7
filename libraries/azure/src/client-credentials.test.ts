import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { createCertificateAuthority, isCoded, issueCertificate, messageOf, Secret } from "@keelson/base";
import { signInBySecret } from "./client-credentials.ts";

const principal = { tenantId: "tenant", clientId: "client" };
const clientSecret = new Secret("p&ss=word");
const scope = "https://management.azure.com/.default";

let answer: { readonly status: number; readonly body: string };
const asked: { path: string | undefined; form: Record<string, string> }[] = [];
let environment: Parameters<typeof signInBySecret>[0];
let server: ReturnType<typeof createServer>;
before(async () => {
  const authority = await createCertificateAuthority("test", 1);
  const subject = { commonName: "login", dnsNames: ["localhost"], usage: "server", validDays: 1 } as const;
  const { certificatePem: cert, privateKeyPem: key } = await issueCertificate(authority, subject);
  server = createServer({ cert, key }, async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    asked.push({ path: request.url, form });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  }).listen(0, "localhost");
  await once(server, "listening");
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const caPem = authority.certificatePem;
  environment = { armEndpoint: url, loginEndpoint: `${url}/`, audience: url, caPem };
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const granted = (token: string) => {
  answer = { status: 200, body: JSON.stringify({ access_token: token, expires_in: 3_599 }) };
  asked.length = 0;
};

test("a token is asked for once, and again when its time is nearly over or it lacks claims", async () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const clock = { now: () => new Date(now) };
  const { tokens, tenantId } = signInBySecret(environment, { ...principal, clientSecret }, clock);
  assert.equal(tenantId, "tenant");
  granted("first");
  assert.deepEqual(await tokens.getToken([scope]), {
    token: "first",
    expiresOnTimestamp: now + 3_599_000,
  });
  granted("second");
  assert.equal((await tokens.getToken(scope))?.token, "first");
  now += 3_400_000;
  assert.equal((await tokens.getToken(scope))?.token, "second");
  assert.equal(asked.length, 1);
  granted("third");
  assert.equal((await tokens.getToken(scope, { claims: "{}" }))?.token, "third");
  assert.equal(asked[0]?.form.claims, "{}");
  granted("other");
  assert.equal((await tokens.getToken("https://graph.example/.default"))?.token, "other");
});

test("a secret and an assertion are sent as the grant asks for them, to the tenant that is meant", async () => {
  granted("t");
  await signInBySecret(environment, { ...principal, clientSecret }).tokens.getToken(scope);
  await signInBySecret(environment, {
    ...principal,
    assertion: async () => "signed",
  }).tokens.getToken(scope, { tenantId: "other" });
  const form = { client_id: "client", grant_type: "client_credentials", scope };
  assert.deepEqual(asked, [
    { path: "/tenant/oauth2/v2.0/token", form: { ...form, client_secret: "p&ss=word" } },
    {
      path: "/other/oauth2/v2.0/token",
      form: {
        ...form,
        client_assertion: "signed",
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      },
    },
  ]);
});

test("a refusal is distinguished from an unspecific response, and neither error contains the secret", async () => {
  const { tokens } = signInBySecret(environment, { ...principal, clientSecret });
  const refusal = "AADSTS7000215: Invalid client secret provided.";
  for (const [status, body, code] of [
    [401, JSON.stringify({ error: "invalid_client", error_description: refusal }), "InvalidCredentials"],
    [400, "<html>", "IdentityProviderUnavailable"],
    [200, JSON.stringify({ access_token: 7, expires_in: 1 }), "IdentityProviderUnavailable"],
    [200, "[]", "IdentityProviderUnavailable"],
  ] as const) {
    answer = { status, body };
    await assert.rejects(tokens.getToken(scope), (error) => {
      assert.ok(isCoded(error, code), messageOf(error));
      assert.ok(!messageOf(error).includes("p&ss"));
      return true;
    });
  }
});
