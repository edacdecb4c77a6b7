import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";
import { issueCertificate, Secret, systemClock } from "@keelson/base";
import { type Person, startTestPortal, type TestPortal } from "../testing/test-portal.ts";
import { SessionKeys } from "./session-keys.ts";

const sessionCookie = "__Host-portal-session";
const pendingCookie = "__Host-portal-sign-in";
const signal = AbortSignal.timeout(900_000);
let at: TestPortal;
let url: string;

before(async () => {
  at = await startTestPortal();
  url = at.portal.url;
});
beforeEach(() => {
  at.lines.length = 0;
});
after(() => at?.[Symbol.asyncDispose]());

const audited = (operation: string) =>
  at.lines.find((line) => line.logKind === "audit" && line.operation === operation);

describe("signing in", () => {
  test("pages without a sign-in redirect to it, and scripts get an error", async () => {
    const browser = at.newBrowser();
    const led = await browser.send(url, "/api/info");
    assert.deepEqual([led.status, led.headers.location], [307, "/api/login?redirect_uri=/api/info"]);
    const query = await browser.send(url, "/?a=b&c=%20d");
    assert.equal(query.headers.location, "/api/login?redirect_uri=/%3Fa=b%26c=%2520d");
    for (const headers of [{ accept: "application/json" }, { "sec-fetch-mode": "cors" }]) {
      const { status, text } = await browser.send(url, "/api/info", { headers });
      assert.equal(status, 401);
      assert.equal(JSON.parse(text).error.code, "Unauthenticated");
    }
  });

  test("the request to the identity provider has PKCE, a nonce and a state", async () => {
    const { headers } = await at.newBrowser().send(url, "/api/login");
    const { searchParams } = new URL(`${headers.location}`);
    assert.equal(searchParams.get("code_challenge_method"), "S256");
    assert.equal(searchParams.get("scope"), "openid profile");
    for (const name of ["code_challenge", "nonce", "state"])
      assert.ok((searchParams.get(name) ?? "").length >= 43, name);
    assert.equal(searchParams.get("redirect_uri"), `${url}/callback`);
  });

  for (const [user, role] of [
    ["administrator", "elevated"],
    ["operator", "operator"],
    ["reader", "reader"],
  ] as const) {
    test(`${user} has the role ${role}`, async () => {
      const browser = at.newBrowser();
      const back = await browser.signIn(url, `${user}@keelson.local`, "/api/info?x=1");
      assert.deepEqual([back.status, back.headers.location], [307, "/api/info?x=1"]);
      assert.equal(audited("GET /callback")?.caller, `${user}@keelson.local`);
      const info = JSON.parse((await browser.send(url, "/api/info")).text);
      assert.deepEqual(
        [info.username, info.role, info.elevated, info.location, info.rpversion],
        [`${user}@keelson.local`, role, role === "elevated", "eastus", "test"],
      );
      assert.deepEqual(info.banner, { text: "test", link: { text: "Help", url: "https://help.example" } });
      const left = Date.parse(info.expires) - Date.now();
      assert.ok(left > 3_500_000 && left <= 3_600_000);
    });
  }

  test("cookies are for this host over HTTPS only, hidden from scripts, and opaque", async () => {
    const browser = at.newBrowser();
    const back = await browser.signIn(url, "reader@keelson.local");
    const line = [back.headers["set-cookie"]].flat().find((each) => each?.startsWith(sessionCookie)) ?? "";
    assert.match(line, /; Path=\/; Secure; HttpOnly; SameSite=Lax$/);
    assert.doesNotMatch(Buffer.from(line, "base64").toString("latin1"), /reader/);
  });

  test("a person without an authorized group is rejected without a cookie, and recorded in the audit", async () => {
    await createUser("outsider");
    const browser = at.newBrowser();
    const back = await browser.signIn(url, "outsider@keelson.local");
    assert.equal(back.status, 403);
    assert.ok(!browser.cookies.has(sessionCookie));
    const line = audited("GET /callback");
    assert.deepEqual([line?.result, line?.caller, line?.status], ["Fail", "outsider@keelson.local", 403]);
    assert.equal((await browser.send(url, "/api/clusters")).status, 307);
  });

  test("the groups of a person with too many for a token are read from Microsoft Graph", async () => {
    const id = await createUser("busy");
    // Groups are created in batches of five, because the simulated directory writes them one after the other.
    for (let created = 0; created < 205; created += 5)
      await Promise.all([0, 1, 2, 3, 4].map((at) => graph("groups", group(`g${created + at}`, id))));
    const elevated = await findGroup("Administrators");
    await graph(`groups/${elevated}/members/$ref`, reference(id));
    const browser = at.newBrowser();
    assert.equal((await browser.signIn(url, "busy@keelson.local")).status, 307);
    assert.equal(JSON.parse((await browser.send(url, "/api/info")).text).role, "elevated");
  });
});

describe("foreign sign-ins", () => {
  test("a response for a different browser does not sign in", async () => {
    const [attacker, victim] = [at.newBrowser(), at.newBrowser()];
    const begun = await attacker.send(url, "/api/login");
    const response = await attacker.choose(
      new URL(`${begun.headers.location}`),
      "administrator@keelson.local",
    );
    // The portal starts a new sign-in for a browser without a pending sign-in. In a browser with a pending sign-in, the state
    // differs from the attacker's state.
    const without = await victim.follow(response);
    assert.match(`${without.headers.location}`, /\/oauth2\/v2\.0\/authorize\?/);
    const other = await victim.follow(response);
    assert.equal(other.status, 400);
    assert.ok(!victim.cookies.has(sessionCookie));
  });

  test("a response is valid once", async () => {
    const browser = at.newBrowser();
    const begun = await browser.send(url, "/api/login");
    const pending = browser.cookies.get(pendingCookie) ?? "";
    const response = await browser.choose(new URL(`${begun.headers.location}`), "reader@keelson.local");
    assert.equal((await browser.follow(response)).status, 307);
    const again = at.newBrowser();
    again.setCookie(pendingCookie, pending);
    assert.equal((await again.follow(response)).status, 502);
    assert.ok(!again.cookies.has(sessionCookie));
  });

  test("a session that was there before a sign-in is not the one after it", async () => {
    const browser = at.newBrowser();
    await browser.signIn(url, "reader@keelson.local");
    const planted = browser.cookies.get(sessionCookie) ?? "";
    const victim = at.newBrowser();
    victim.setCookie(sessionCookie, planted);
    await victim.signIn(url, "administrator@keelson.local");
    assert.notEqual(victim.cookies.get(sessionCookie), planted);
    const attacker = at.newBrowser();
    attacker.setCookie(sessionCookie, planted);
    assert.equal(JSON.parse((await attacker.send(url, "/api/info")).text).role, "reader");
  });

  test("forged, modified, duplicate, oversized and other-purpose cookies do not sign in", async () => {
    const browser = at.newBrowser();
    await browser.send(url, "/api/login");
    const pending = browser.cookies.get(pendingCookie) ?? "";
    await browser.signIn(url, "reader@keelson.local");
    const session = browser.cookies.get(sessionCookie) ?? "";
    const foreign = await new SessionKeys([newKey()]).seal(
      "portal-login",
      { username: "eve", role: "elevated" },
      new Date(Date.now() + 60_000),
      randomUUID(),
    );
    // The test changes a character before the end, because some bits of the last character are padding.
    const at10 = session.at(-10) === "A" ? "B" : "A";
    const changed = `${session.slice(0, -10)}${at10}${session.slice(-9)}`;
    for (const value of ["x", pending, foreign, changed, "a".repeat(9_000)]) {
      const eve = at.newBrowser();
      eve.setCookie(sessionCookie, value);
      const response = await eve.send(url, "/api/info");
      assert.equal(response.status, 307, value.slice(0, 20));
    }
    const doubled = await at
      .newBrowser()
      .send(url, "/api/info", { headers: { cookie: `${sessionCookie}=x; ${sessionCookie}=${session}` } });
    assert.equal(doubled.status, 307);
    const huge = await at.newBrowser().send(url, "/api/info", { headers: { cookie: "a".repeat(20_000) } });
    assert.equal(huge.status, 431);
  });

  test("people sign in by the certificate that the application has now", async () => {
    const { certificate, portal } = at;
    const other = await issueCertificate(undefined, { commonName: "other", usage: "client", validDays: 1 });
    const response = () => at.newBrowser().signIn(url, "reader@keelson.local");
    const signIn = async () => (await response()).status;
    portal.useSignInCertificate(other);
    try {
      const { status, text } = await response();
      assert.equal(status, 502, "the application has no such certificate");
      assert.match(text, /rejected the portal's request \(AADSTS700027\)\. .* the portal's log/);
    } finally {
      portal.useSignInCertificate(certificate);
    }
    assert.equal(await signIn(), 307);
  });

  test("a provider's refusal and a wrong code end the sign-in", async () => {
    const browser = at.newBrowser();
    const begin = async () => {
      const { headers } = await browser.send(url, "/api/login");
      return new URL(`${headers.location}`).searchParams.get("state") ?? "";
    };
    const declined = await browser.send(url, `/callback?error=access_denied&state=${await begin()}`);
    assert.equal(declined.status, 403);
    const wrong = await browser.send(url, `/callback?code=wrong&state=${await begin()}`);
    assert.equal(wrong.status, 502);
    assert.ok(!browser.cookies.has(sessionCookie));
  });
});

describe("signing out and requests with changes", () => {
  test("needs the token of the sign-in, and a page of the portal", async () => {
    const { browser, csrf } = await at.signedIn("reader");
    const other = await at.signedIn("reader");
    const logout = (headers: Record<string, string>) =>
      browser.send(url, "/api/logout", { method: "POST", headers });
    for (const headers of [
      {},
      { "x-csrf-token": "x" },
      { "x-csrf-token": other.csrf },
      { "x-csrf-token": csrf, origin: "https://evil.example" },
      { "x-csrf-token": csrf, origin: "null" },
      { "x-csrf-token": csrf, referer: "https://evil.example/" },
      { "x-csrf-token": csrf, referer: "no URL" },
    ])
      assert.equal((await logout(headers)).status, 403, JSON.stringify(headers));
    const done = await logout({ "x-csrf-token": csrf, origin: url });
    assert.deepEqual([done.status, done.headers.location], [303, "/"]);
    assert.equal((await browser.send(url, "/api/info")).status, 307);
  });

  test("ends every copy of the cookie, at all portals, and the stream of events", async () => {
    await using second = await at.startAnother();
    const { browser, csrf } = await at.signedIn("reader");
    const copy = at.newBrowser();
    copy.setCookie(sessionCookie, browser.cookies.get(sessionCookie) ?? "");
    const other = await at.signedIn("reader");
    const events = await at.events({ browser: copy, csrf });
    const statusOf = async (portal: string, of = copy) => (await of.send(portal, "/api/info")).status;
    assert.deepEqual([await statusOf(url), await statusOf(second.url)], [200, 200]);
    const headers = { "x-csrf-token": csrf };
    assert.equal((await browser.send(url, "/api/logout", { method: "POST", headers })).status, 303);
    assert.equal(await statusOf(url), 307);
    while ((await statusOf(second.url)) === 200) await systemClock.sleep(50, signal);
    assert.equal(await statusOf(second.url, other.browser), 200);
    await assert.rejects(events.until("never"), /ended/);
  });

  test("all sign-ins of a person can be ended by that person and by people with all rights", async () => {
    const [one, two] = [await at.signedIn("operator"), await at.signedIn("operator")];
    const [reader, administrator] = [await at.signedIn("reader"), await at.signedIn("administrator")];
    const end = ({ browser, csrf }: Person, body: object) =>
      browser.send(url, "/api/sign-outs", {
        method: "POST",
        headers: { "x-csrf-token": csrf, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const isIn = async ({ browser }: Person) => (await browser.send(url, "/api/info")).status === 200;
    const username = "operator@keelson.local";
    assert.equal((await end(reader, { username })).status, 403);
    assert.equal((await end(reader, { username: 1 })).status, 400);
    assert.ok((await isIn(one)) && (await isIn(two)));
    assert.equal((await end(one, {})).status, 204);
    assert.deepEqual([await isIn(one), await isIn(two), await isIn(reader)], [false, false, true]);
    const three = await at.signedIn("operator");
    assert.equal((await end(administrator, { username: username.toUpperCase() })).status, 204);
    assert.deepEqual([await isIn(three), await isIn(administrator)], [false, true]);
    // The administrator's request ends only existing sign-ins, so a new sign-in is valid.
    assert.ok(await isIn(await at.signedIn("operator")));
  });
});

function newKey(): Secret {
  return new Secret(randomBytes(32).toString("base64"));
}

/**
 * Sends a request to Microsoft Graph with the credentials of the test's own application, which has write permissions. Returns the
 * response body.
 */
async function graph(path: string, body?: object): Promise<Record<string, unknown>> {
  const { azure } = at;
  const token = await azure
    .connect({ environment: { ...environment(), audience: "https://graph.microsoft.com" } })
    .getToken(AbortSignal.timeout(900_000));
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await azure.raw(`/v1.0/${path}`, {
    headers,
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
  });
  assert.ok(response.status < 300, response.text);
  return response.text === "" ? {} : JSON.parse(response.text);
}

function environment() {
  const { azure, caPem } = at;
  return { armEndpoint: azure.url, loginEndpoint: azure.url, audience: "", caPem, pollIntervalMs: 20 };
}

async function createUser(name: string): Promise<string> {
  const { id } = await graph("users", {
    displayName: name,
    userPrincipalName: `${name}@keelson.local`,
    mailNickname: name,
    accountEnabled: true,
    passwordProfile: { password: randomUUID() },
  });
  return `${id}`;
}

const reference = (id: string) => ({
  "@odata.id": `https://graph.microsoft.com/v1.0/directoryObjects/${id}`,
});
const group = (name: string, member: string) => ({
  displayName: name,
  mailNickname: name,
  mailEnabled: false,
  securityEnabled: true,
  "members@odata.bind": [`https://graph.microsoft.com/v1.0/directoryObjects/${member}`],
});

async function findGroup(name: string): Promise<string> {
  const { value } = await graph(`groups?$filter=displayName eq '${name}'`.replaceAll(" ", "%20"));
  return Array.isArray(value) ? `${value[0].id}` : "";
}
