import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose";
import { type BearerTokensOptions, bearerTokens } from "./bearer-tokens.ts";
import { rightsOf } from "./callers/admin-role.ts";
import { anyOf } from "./callers/caller-rule.ts";
import { type JsonServer, requestWith, startJsonServer } from "./testing/callers.ts";

const issuer = "https://login.example.org/tenant/v2.0";
const audience = "api://keelson";
const application = "11111111-2222-3333-4444-555555555555";

describe("bearer tokens", () => {
  let server: JsonServer;
  let key: CryptoKey;
  let foreignKey: CryptoKey;
  const clock = new ManualClock(new Date());
  const logged: string[] = [];
  const logger = createLogger({ level: "info", destination: { write: (line) => void logged.push(line) } });

  before(async () => {
    server = await startJsonServer();
    const pair = await generateKeyPair("RS256");
    key = pair.privateKey;
    foreignKey = (await generateKeyPair("RS256")).privateKey;
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: "k1", use: "sig", alg: "RS256" };
    server.respondWith(200, JSON.stringify({ keys: [jwk] }));
  });
  after(() => server[Symbol.asyncDispose]());

  function rule(options: Partial<BearerTokensOptions> = {}) {
    return bearerTokens({
      issuer,
      audience,
      keysUrl: server.url,
      caPem: server.caPem,
      applications: [application],
      roles: [],
      clock,
      logger,
      ...options,
    });
  }

  function token(claims: Record<string, unknown> = {}, signedWith = key): Promise<string> {
    const now = Math.floor(clock.now().getTime() / 1000);
    return new SignJWT({ iss: issuer, aud: audience, azp: application, iat: now, exp: now + 600, ...claims })
      .setProtectedHeader({ alg: "RS256", kid: "k1" })
      .sign(signedWith);
  }

  const bearing = (text: string) => requestWith([], { authorization: text });

  test("admit the applications, by either claim and in any case", async () => {
    const tokens = rule();
    for (const claims of [{}, { azp: undefined, appid: application.toUpperCase() }])
      assert.equal(rightsOf(await tokens.admits(bearing(`Bearer ${await token(claims)}`))), true);
  });

  const person = { tid: "tenant", oid: "object", preferred_username: "ada@example.com", scp: "use" };
  const subjects: readonly [
    name: string,
    claims: Record<string, unknown>,
    subject: string,
    vouches: boolean,
  ][] = [
    ["a person", person, "tenant/object", false],
    ["a person by idtyp", { tid: "tenant", oid: "object", idtyp: "user" }, "tenant/object", false],
    ["an application", { tid: "tenant", oid: "object", idtyp: "app" }, `application ${application}`, true],
    ["an application without idtyp", { tid: "tenant", oid: "object" }, `application ${application}`, true],
    ["an application with a name", { ...person, idtyp: "app" }, `application ${application}`, true],
  ];
  for (const [name, claims, subject, vouches] of subjects)
    test(`the subject of ${name} is not a name, and only applications may vouch for names`, async () => {
      const request = bearing(`Bearer ${await token(claims)}`);
      const isNamed = "preferred_username" in claims && !vouches;
      const shown = isNamed ? { name: "ada@example.com" } : {};
      const expected = { rights: true, subject, vouchesForNames: false, ...shown };
      assert.deepEqual(await rule().admits(request), expected);
      const trusting = await rule({ vouchesForNames: true }).admits(request);
      assert.deepEqual(trusting, { ...expected, vouchesForNames: vouches });
    });

  const refused: readonly { name: string; claims?: Record<string, unknown>; roles?: readonly string[] }[] = [
    { name: "another issuer", claims: { iss: "https://evil.example.org" } },
    { name: "another audience", claims: { aud: "api://other" } },
    { name: "another application", claims: { azp: "99999999-2222-3333-4444-555555555555" } },
    { name: "no application", claims: { azp: undefined } },
    { name: "no expiry", claims: { exp: undefined } },
    { name: "an expired token", claims: { exp: 1_000 } },
    { name: "a token of tomorrow", claims: { nbf: 9_999_999_999 } },
    { name: "a missing role", roles: ["Admin"] },
    { name: "another role", roles: ["Admin"], claims: { roles: ["Reader"] } },
  ];
  for (const { name, claims = {}, roles = [] } of refused) {
    test(`refuse ${name}`, async () => {
      assert.equal(await rule({ roles }).admits(bearing(`Bearer ${await token(claims)}`)), false);
    });
  }

  test("admit one of the roles", async () => {
    const request = bearing(`Bearer ${await token({ roles: ["Reader", "Admin"] })}`);
    assert.equal(rightsOf(await rule({ roles: ["Admin"] }).admits(request)), true);
  });

  test("have the greatest role that their groups and application roles give, and are refused without one", async () => {
    const tokens = rule({ adminRoles: { reader: ["group-r"], elevated: ["App.Elevated"] } });
    for (const [claims, expected] of [
      [{ groups: ["group-r"] }, "reader"],
      [{ groups: ["group-r"], roles: ["App.Elevated"] }, "elevated"],
      [{ groups: ["other"] }, false],
      [{ groups: "group-r" }, false],
      [{}, false],
    ] as const)
      assert.equal(rightsOf(await tokens.admits(bearing(`Bearer ${await token(claims)}`))), expected);
  });

  test("reject a foreign signature, an unsigned token and an invalid token", async () => {
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${(await token()).split(".")[1]}.x`;
    for (const text of [await token({}, foreignKey), unsigned, "x", "a.b.c", "x".repeat(20_000)])
      assert.equal(await rule().admits(bearing(`Bearer ${text}`)), false, text.slice(0, 20));
    assert.equal(await rule().admits(bearing(`Basic ${await token()}`)), false);
    assert.equal(await rule().admits(requestWith([])), false);
  });

  test("never reach the log", async () => {
    const refusedToken = await token({ aud: "api://other" });
    await rule().admits(bearing(`Bearer ${refusedToken}`));
    assert.ok(logged.some((line) => line.includes("bearer token rejected")));
    assert.ok(logged.every((line) => !line.includes(refusedToken)));
  });

  test("admit no caller while the keys are unavailable", async () => {
    assert.equal(
      await rule({ keysUrl: "https://localhost:1/keys" }).admits(bearing(`Bearer ${await token()}`)),
      false,
    );
  });

  test("stand beside other rules", async () => {
    const never = { admits: () => false, ready: () => false };
    const request = bearing(`Bearer ${await token()}`);
    assert.equal(rightsOf(await anyOf([never, rule()]).admits(request)), true);
    assert.equal(await anyOf([never]).admits(request), false);
    assert.equal(anyOf([never, rule()]).ready(), true);
  });
});
