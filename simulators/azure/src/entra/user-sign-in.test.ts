import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { decodeJwt } from "jose";
import { at, nonEmptyStringAt } from "../base/json.ts";
import {
  clientId,
  clientSecret,
  operatorRoles,
  type RawResponse,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  tenantId,
} from "../testing/test-azure.ts";

const azureCli = "04b07795-8ddb-461a-bbee-02f9e1bf7b46";
const administrator = "administrator@keelson.local";
const portalAddress = "https://portal.example/callback";
const armScope = "https://management.core.windows.net//.default openid profile offline_access";
const clock = new ManualClock(new Date());
let azure: TestAzure;

before(async () => {
  const principal = {
    clientId,
    clientSecret,
    displayName: "portal",
    redirectUris: [portalAddress],
    roles: operatorRoles,
  };
  azure = await startTestAzure({ clock, principals: [principal] });
});
after(() => azure[Symbol.asyncDispose]());

const formType = { "content-type": "application/x-www-form-urlencoded" };

function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields).toString();
  return azure.raw(path, { method: "POST", headers: { ...formType, ...headers }, body });
}

const token = (fields: Record<string, string>, path = `/${tenantId}/oauth2/v2.0/token`) =>
  post(path, { client_id: azureCli, ...fields });

function hasCode(response: RawResponse, code: number): void {
  assert.match(response.text, new RegExp(`"error_codes":\\[${code}\\]`));
  assert.ok(response.status === 400 || response.status === 401);
}

const pkce = "a-verifier-that-is-long-enough-to-be-one-of-rfc-7636";
const challenge = createHash("sha256").update(pkce).digest("base64url");
const authorization = {
  client_id: azureCli,
  response_type: "code",
  redirect_uri: "http://localhost:8400/",
  scope: armScope,
  state: "s t&ate",
  nonce: "n-1",
  code_challenge: challenge,
  code_challenge_method: "S256",
};

/** Opens the sign-in page like a browser, selects a user, and returns the response. */
async function choose(
  query: Record<string, string>,
  { user = azure.objectIdOf(administrator) ?? "", choice = "sign-in", forged = false } = {},
) {
  const path = `/organizations/oauth2/v2.0/authorize?${new URLSearchParams(query)}`;
  const shown = await azure.raw(path);
  assert.equal(shown.status, 200, shown.text);
  const cookie = String(shown.headers["set-cookie"]).split(";")[0] ?? "";
  const own = /name="token" value="([^"]+)"/.exec(shown.text)?.[1] ?? "";
  return post(path, { token: forged ? "x".repeat(32) : own, user, choice }, { cookie });
}

async function codeFor(query: Record<string, string> = authorization): Promise<string> {
  const response = await choose(query);
  assert.equal(response.status, 303, response.text);
  return new URL(String(response.headers.location)).searchParams.get("code") ?? "";
}

test("a code with its verifier returns the user's tokens for ARM and the client, once", async () => {
  const response = await choose(authorization);
  const location = new URL(String(response.headers.location));
  assert.equal(location.origin, "http://localhost:8400");
  assert.equal(location.searchParams.get("state"), "s t&ate");
  const redeem = {
    grant_type: "authorization_code",
    code: location.searchParams.get("code") ?? "",
    redirect_uri: authorization.redirect_uri,
    scope: armScope,
    client_info: "1",
    claims: '{"access_token":{"xms_cc":{"values":["CP1"]}}}',
  };
  hasCode(await token({ ...redeem, code_verifier: "another" }), 501481);
  hasCode(await token(redeem), 501481);
  hasCode(await token({ ...redeem, code_verifier: pkce, redirect_uri: "http://localhost:1/" }), 500112);
  const bought = await token({ ...redeem, code_verifier: pkce });
  assert.equal(bought.status, 200, bought.text);
  const oid = azure.objectIdOf(administrator);
  const idToken = decodeJwt(nonEmptyStringAt(bought.json, "id_token") ?? "");
  assert.deepEqual(
    [idToken.aud, idToken.preferred_username, idToken.nonce, idToken.oid, idToken.tid],
    [azureCli, administrator, "n-1", oid, tenantId],
  );
  assert.ok(Array.isArray(idToken.groups) && idToken.groups.length === 1);
  const info = JSON.parse(
    Buffer.from(nonEmptyStringAt(bought.json, "client_info") ?? "", "base64url").toString(),
  );
  assert.deepEqual(info, { uid: oid, utid: tenantId });
  const access = nonEmptyStringAt(bought.json, "access_token") ?? "";
  assert.equal(decodeJwt(access).aud, "https://management.core.windows.net/");
  const subscriptions = await azure.raw("/subscriptions?api-version=2022-12-01", {
    headers: { authorization: `Bearer ${access}` },
  });
  assert.equal(subscriptions.status, 200);
  hasCode(await token({ ...redeem, code_verifier: pkce }), 54005);
});

test("a refresh token returns tokens for other services, only to its client, until the password changes", async () => {
  const code = await codeFor();
  const first = await token({
    grant_type: "authorization_code",
    code,
    redirect_uri: authorization.redirect_uri,
    code_verifier: pkce,
    scope: armScope,
  });
  const refresh = nonEmptyStringAt(first.json, "refresh_token") ?? "";
  const again = {
    grant_type: "refresh_token",
    refresh_token: refresh,
    scope: "https://graph.microsoft.com//.default openid",
  };
  const bought = await token(again);
  const authorizationHeader = { authorization: `Bearer ${nonEmptyStringAt(bought.json, "access_token")}` };
  const me = await azure.raw("/v1.0/me", { headers: authorizationHeader });
  assert.equal(nonEmptyStringAt(me.json, "userPrincipalName"), administrator);
  hasCode(await token({ ...again, client_id: "1950a258-227b-4e31-a9cf-717495945fc2" }), 9002313);
  hasCode(
    await token({ ...again, refresh_token: nonEmptyStringAt(bought.json, "access_token") ?? "" }),
    9002313,
  );
  const asToken = await azure.raw("/v1.0/me", { headers: { authorization: `Bearer ${refresh}` } });
  assert.equal(asToken.status, 401, "a refresh token is no access token");
  await clock.advance(1_000);
  const changed = await azure.raw("/v1.0/me", {
    method: "PATCH",
    headers: { ...authorizationHeader, "content-type": "application/json" },
    body: JSON.stringify({ passwordProfile: { password: "quite another one" } }),
  });
  assert.equal(changed.status, 204);
  hasCode(await token(again), 50173);
  const password = { grant_type: "password", username: administrator, scope: armScope };
  hasCode(await token({ ...password, password: "wrong" }), 50126);
  assert.equal((await token({ ...password, password: "quite another one" })).status, 200);
});

test("a web application signs users in with its secret, and with no address but its own", async () => {
  const query = {
    ...authorization,
    client_id: clientId,
    redirect_uri: portalAddress,
    response_mode: "form_post",
  };
  const response = await choose(query);
  const code = /name="code" value="([^"]+)"/.exec(response.text)?.[1] ?? "";
  assert.match(response.text, /action="https:\/\/portal.example\/callback"/);
  assert.match(String(response.headers["content-security-policy"]), /script-src 'nonce-/);
  const redeem = {
    client_id: clientId,
    grant_type: "authorization_code",
    code,
    redirect_uri: portalAddress,
    code_verifier: pkce,
    scope: "openid",
  };
  hasCode(await token(redeem), 7000218);
  const basic = Buffer.from(`${clientId}:${clientSecret.reveal()}`).toString("base64");
  const { client_id: _, ...unnamed } = redeem;
  const bought = await post(`/${tenantId}/oauth2/v2.0/token`, unnamed, { authorization: `Basic ${basic}` });
  assert.equal(bought.status, 200, bought.text);
  assert.equal(decodeJwt(nonEmptyStringAt(bought.json, "id_token") ?? "").aud, clientId);
  const refresh = {
    client_id: clientId,
    grant_type: "refresh_token",
    refresh_token: nonEmptyStringAt(bought.json, "refresh_token") ?? "",
  };
  hasCode(await token(refresh), 7000218);
  assert.equal((await token({ ...refresh, client_secret: clientSecret.reveal() })).status, 200);
});

for (const [name, change, code] of [
  [
    "an address that is not registered",
    { client_id: clientId, redirect_uri: "https://evil.example/" },
    50011,
  ],
  ["an address elsewhere for a program", { redirect_uri: "http://localhost.evil.example/" }, 50011],
  ["an unknown client", { client_id: randomUUID() }, 700016],
] as const) {
  test(`the page reports ${name} to the user and does not redirect`, async () => {
    const query = new URLSearchParams({ ...authorization, ...change });
    const response = await azure.raw(`/${tenantId}/oauth2/v2.0/authorize?${query}`);
    assert.equal(response.status, 400);
    assert.equal(response.headers.location, undefined);
    assert.match(response.text, new RegExp(`AADSTS${code}: `));
    assert.match(String(response.headers["content-type"]), /^text\/html/);
  });
}

for (const [name, change, error] of [
  ["a silent sign-in", { prompt: "none" }, "login_required"],
  ["another response type", { response_type: "token" }, "unsupported_response_type"],
  ["an unknown challenge", { code_challenge_method: "S1" }, "invalid_request"],
] as const) {
  test(`the client is notified that ${name} is rejected`, async () => {
    const query = new URLSearchParams({ ...authorization, ...change });
    const response = await azure.raw(`/${tenantId}/oauth2/v2.0/authorize?${query}`);
    assert.equal(new URL(String(response.headers.location)).searchParams.get("error"), error);
  });
}

test("a form that is not from the browser's own page is rejected; a user may decline", async () => {
  const forged = await choose(authorization, { forged: true });
  assert.equal(forged.status, 400);
  assert.equal(forged.headers.location, undefined);
  const declined = await choose(authorization, { choice: "cancel" });
  assert.match(String(declined.headers.location), /error=access_denied/);
  assert.equal((await choose(authorization, { user: randomUUID() })).status, 400);
});

test("a page escapes request data and cannot be framed", async () => {
  const hint = '"><script>alert(1)</script>';
  const query = new URLSearchParams({ ...authorization, login_hint: hint, state: hint });
  const shown = await azure.raw(`/${tenantId}/oauth2/v2.0/authorize?${query}`);
  assert.doesNotMatch(shown.text, /<script>/);
  assert.match(String(shown.headers["content-security-policy"]), /frame-ancestors 'none'/);
});

test("a device receives its tokens once, after the user has entered its code and confirmed", async () => {
  const begun = await post("/organizations/oauth2/v2.0/devicecode", { client_id: azureCli, scope: armScope });
  const poll = () =>
    token({
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: nonEmptyStringAt(begun.json, "device_code") ?? "",
      scope: armScope,
    });
  const waiting = await poll();
  hasCode(waiting, 70016);
  assert.equal(nonEmptyStringAt(waiting.json, "error"), "authorization_pending");
  const { pathname } = new URL(nonEmptyStringAt(begun.json, "verification_uri") ?? "");
  const page = await azure.raw(pathname);
  const cookie = String(page.headers["set-cookie"]).split(";")[0] ?? "";
  const own = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  const code = nonEmptyStringAt(begun.json, "user_code") ?? "";
  const send = (fields: Record<string, string>) => post(pathname, { token: own, ...fields }, { cookie });
  assert.equal((await send({ code: "BCDFGHJKL" })).status, 400);
  assert.equal((await send({ token: "", code })).status, 400);
  assert.match((await send({ code: code.toLowerCase() })).text, new RegExp(administrator));
  await send({ code, user: azure.objectIdOf(administrator) ?? "", choice: "sign-in" });
  const bought = await poll();
  assert.equal(bought.status, 200, bought.text);
  assert.ok(nonEmptyStringAt(bought.json, "id_token"));
  hasCode(await poll(), 70020);
});

test("codes are good for minutes only", async () => {
  const begun = await post("/organizations/oauth2/v2.0/devicecode", { client_id: azureCli, scope: armScope });
  const device_code = nonEmptyStringAt(begun.json, "device_code") ?? "";
  const code = await codeFor();
  await clock.advance(10 * 60_000);
  hasCode(await token({ grant_type: "authorization_code", code, code_verifier: pkce }), 70008);
  hasCode(await token({ grant_type: "device_code", device_code }), 70016);
  await clock.advance(5 * 60_000);
  hasCode(await token({ grant_type: "device_code", device_code }), 70020);
});

test("forms that are longer than any sign-in are not read", async () => {
  assert.equal((await token({ grant_type: "x".repeat(300_000) })).status, 413);
});

test("the reader has only the rights of its role", async () => {
  const bought = await token({
    grant_type: "password",
    username: "Reader@keelson.local",
    password: "any",
    scope: armScope,
  });
  const headers = {
    authorization: `Bearer ${nonEmptyStringAt(bought.json, "access_token")}`,
    "content-type": "application/json",
  };
  const path = `/subscriptions/${subscriptionId}/resourceGroups/of-the-reader?api-version=2022-09-01`;
  const written = await azure.raw(path, { method: "PUT", headers, body: '{"location":"eastus"}' });
  assert.equal(nonEmptyStringAt(written.json, "error", "code"), "AuthorizationFailed");
  assert.equal((await azure.raw(path, { headers })).status, 404);
});

test("version 1 and servers of Active Directory are spoken as well", async () => {
  const fields = {
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret.reveal(),
  };
  const old = await post(`/${tenantId}/oauth2/token`, { ...fields, resource: "https://vault.azure.net" });
  assert.equal(at(old.json, "expires_in"), "3599");
  assert.equal(nonEmptyStringAt(old.json, "resource"), "https://vault.azure.net");
  const adfs = await azure.raw("/adfs/.well-known/openid-configuration");
  const endpoint = new URL(nonEmptyStringAt(adfs.json, "token_endpoint") ?? "").pathname;
  assert.equal(endpoint, "/adfs/oauth2/token");
  const bought = await post(endpoint, { ...fields, scope: `${azure.url}//.default` });
  assert.equal(at(bought.json, "expires_in"), 3599);
  assert.equal(decodeJwt(nonEmptyStringAt(bought.json, "access_token") ?? "").aud, `${azure.url}/`);
});

test("each kind of user has a realm", async () => {
  const realm = async (user: string) =>
    nonEmptyStringAt(
      (await azure.raw(`/common/userrealm/${encodeURIComponent(user)}?api-version=1.0`)).json,
      "account_type",
    );
  assert.equal(await realm(administrator), "Managed");
  assert.equal(await realm("nobody@keelson.local"), "Unknown");
});

test("signing out redirects only to known addresses", async () => {
  const logOut = async (address: string) => {
    const query = new URLSearchParams({ post_logout_redirect_uri: address });
    return (await azure.raw(`/${tenantId}/oauth2/v2.0/logout?${query}`)).headers.location;
  };
  assert.equal(await logOut(portalAddress), portalAddress);
  assert.equal(await logOut("https://evil.example/"), undefined);
});

for (const [name, fields, code] of [
  ["an unknown grant", { grant_type: "magic" }, 70003],
  ["a grant that objects inherit", { grant_type: "toString" }, 70003],
  ["an unknown code", { grant_type: "authorization_code", code: "x" }, 70008],
  ["an unknown user", { grant_type: "password", username: "x@y", password: "p" }, 50034],
  ["a client that must prove itself", { grant_type: "password", client_id: clientId }, 7000218],
  [
    "scopes of two services",
    { grant_type: "password", scope: "https://a.example/x https://b.example/y" },
    28000,
  ],
  ["no scope", { grant_type: "client_credentials", client_id: clientId, client_secret: "SECRET" }, 70011],
] as const) {
  test(`${name} is rejected with AADSTS${code}`, async () => {
    const secret = "client_secret" in fields ? { client_secret: clientSecret.reveal() } : {};
    hasCode(await token({ ...fields, ...secret }), code);
  });
}
