import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { nonEmptyStringAt } from "../base/json.ts";
import { clientId, clientSecret, startTestAzure, subscriptionId, tenantId } from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);

test("a client secret returns a token for ARM with the claims of the service principal", async () => {
  await using azure = await startTestAzure();
  const token = await azure.clients.getToken(signal);
  const claims = decodeJwt(token);
  assert.equal(claims.tid, tenantId);
  assert.equal(claims.appid, clientId);
  assert.equal(claims.oid, azure.objectIdOf(clientId));
  assert.equal(claims.sub, claims.oid);
  assert.equal(claims.aud, "https://management.azure.com");
  assert.ok((claims.exp ?? 0) > Date.now() / 1000);
  const keys = await azure.raw(`/${tenantId}/discovery/v2.0/keys`);
  assert.match(keys.text, new RegExp(decodeProtectedHeader(token).kid ?? "absent"));
  assert.doesNotMatch(keys.text, /"d":/);
  const groups = await Array.fromAsync(
    azure.clients.resources.resourceGroups.list(azure.clients.call(signal)),
  );
  assert.deepEqual(groups, []);
});

const refusals = [
  {
    name: "a wrong secret",
    code: 7000215,
    credential: { tenantId, clientId, clientSecret: new Secret("wrong") },
  },
  {
    name: "an unknown application",
    code: 700016,
    credential: { tenantId, clientId: "99999999-2222-4333-8444-555555555555", clientSecret },
  },
  {
    name: "an unknown tenant",
    code: 90002,
    credential: { tenantId: "00000000-d083-49fc-9569-ebece1dd1408", clientId, clientSecret },
  },
];

for (const { name, code, credential } of refusals) {
  test(`${name} is rejected with AADSTS${code}`, async () => {
    await using azure = await startTestAzure();
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: credential.clientId,
      client_secret: credential.clientSecret.reveal(),
      scope: "https://management.azure.com//.default",
    });
    const response = await azure.raw(`/${credential.tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: form.toString(),
    });
    assert.ok(response.status === 400 || response.status === 401);
    assert.match(nonEmptyStringAt(response.json, "error_description") ?? "", new RegExp(`^AADSTS${code}: `));
    assert.match(response.text, new RegExp(`"error_codes":\\[${code}\\]`));
    for (const member of ["error", "timestamp", "trace_id", "correlation_id"])
      assert.ok(nonEmptyStringAt(response.json, member));
    const clients = azure.connect({ credential });
    await assert.rejects(clients.getToken(signal), (error: Error) => {
      assert.equal(error.name, "InvalidCredentials");
      assert.match(error.message, new RegExp(`^AADSTS${code}: `));
      assert.doesNotMatch(`${error.message} ${error.stack}`, new RegExp(credential.clientSecret.reveal()));
      return true;
    });
  });
}

test("the authority publishes its metadata, and instance discovery returns it for other authorities", async () => {
  await using azure = await startTestAzure();
  const host = `https://127.0.0.1:${azure.port}`;
  const configuration = await azure.raw(`/${tenantId}/v2.0/.well-known/openid-configuration`);
  assert.equal(
    nonEmptyStringAt(configuration.json, "token_endpoint"),
    `${host}/${tenantId}/oauth2/v2.0/token`,
  );
  assert.equal(nonEmptyStringAt(configuration.json, "jwks_uri"), `${host}/${tenantId}/discovery/v2.0/keys`);
  const discovery = await azure.raw("/common/discovery/instance?api-version=1.1&authorization_endpoint=x");
  assert.match(nonEmptyStringAt(discovery.json, "tenant_discovery_endpoint") ?? "", /openid-configuration$/);
  const endpoint = encodeURIComponent(`https://localhost/${tenantId}/oauth2/v2.0/authorize`);
  const ours = await azure.raw(`/common/discovery/instance?authorization_endpoint=${endpoint}`);
  assert.equal(
    nonEmptyStringAt(ours.json, "tenant_discovery_endpoint"),
    `${host}/${tenantId}/v2.0/.well-known/openid-configuration`,
  );
});

test("ARM accepts only valid tokens of this tenant for ARM, and names the authority in its challenge", async () => {
  const clock = new ManualClock(new Date());
  await using azure = await startTestAzure({ clock });
  const path = `/subscriptions/${subscriptionId}?api-version=2022-12-01`;
  const ask = async (authorization?: string) => {
    const response = await azure.raw(path, authorization ? { headers: { authorization } } : {});
    assert.equal(response.status, 401);
    assert.match(
      String(response.headers["www-authenticate"]),
      /^Bearer authorization_uri="https:\/\/127\.0\.0\.1:\d+\//,
    );
    return nonEmptyStringAt(response.json, "error", "code");
  };
  assert.equal(await ask(), "AuthenticationFailed");
  assert.equal(await ask("Bearer nonsense"), "InvalidAuthenticationToken");
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from("{}").toString("base64url")}.`;
  assert.equal(await ask(`Bearer ${unsigned}`), "InvalidAuthenticationToken");
  const vault = azure.connect({
    environment: {
      armEndpoint: azure.url,
      loginEndpoint: azure.url,
      audience: "https://vault.azure.net",
      caPem: azure.caPem,
    },
  });
  assert.equal(await ask(`Bearer ${await vault.getToken(signal)}`), "InvalidAuthenticationTokenAudience");
  const token = await azure.clients.getToken(signal);
  assert.equal((await azure.raw(path, { headers: { authorization: `Bearer ${token}` } })).status, 200);
  await clock.advance(2 * 3_600_000);
  assert.equal(await ask(`Bearer ${token}`), "ExpiredAuthenticationToken");
});

test("an unknown application is registered at its first sign-in if configured, with the secret of the request", async () => {
  await using azure = await startTestAzure();
  azure.change({ unknownApplications: "registered" });
  const signIn = async (applicationId: string, secret: string) => {
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: applicationId,
      client_secret: secret,
      scope: "https://management.azure.com/.default",
    });
    const response = await azure.raw(`/${tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: body.toString(),
    });
    const [code] = /(?<="error_codes":\[)\d+/.exec(response.text) ?? [];
    return { status: response.status, code };
  };
  const newcomer = "99999999-2222-4333-8444-555555555555";
  assert.equal(azure.objectIdOf(newcomer), undefined);
  assert.equal((await signIn(newcomer, "first")).status, 200);
  assert.notEqual(azure.objectIdOf(newcomer), undefined);
  assert.deepEqual(await signIn(newcomer, "second"), { status: 401, code: "7000215" });
  assert.deepEqual(await signIn("nobody", "first"), { status: 400, code: "700016" });
  assert.equal((await signIn(newcomer, "first")).status, 200);
});
