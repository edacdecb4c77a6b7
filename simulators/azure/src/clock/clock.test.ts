import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import * as jose from "jose";
import { at, nonEmptyStringAt } from "../base/json.ts";
import {
  adminToken,
  clientId,
  clientSecret,
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  tenantId,
} from "../testing/test-azure.ts";

const day = 86_400_000;
const groups = `/subscriptions/${subscriptionId}/resourceGroups`;
const v = "?api-version=2021-04-01";
const admin = { authorization: `Bearer ${adminToken.reveal()}`, "content-type": "application/json" };

describe("the subscription's time", () => {
  let azure: TestAzure;
  before(async () => {
    azure = await startTestAzure();
  });
  after(() => azure[Symbol.asyncDispose]());
  afterEach(() => azure.change({ clockAheadMs: null }));

  const tokenAt = async (id: string, secret: string, scope = "https://management.azure.com/.default") => {
    const form = { grant_type: "client_credentials", client_id: id, client_secret: secret, scope };
    const response = await azure.raw(`/${tenantId}/oauth2/v2.0/token`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: String(new URLSearchParams(form)),
    });
    return { ...response, token: nonEmptyStringAt(response.json, "access_token") ?? "" };
  };
  const bearer = (token: string) => ({
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
  });

  test("secrets expire by it", async () => {
    const graph = await tokenAt(clientId, clientSecret.reveal(), "https://graph.microsoft.com/.default");
    const post = async (path: string, body: object) =>
      (
        await azure.raw(`/v1.0/applications${path}`, {
          method: "POST",
          headers: bearer(graph.token),
          body: JSON.stringify(body),
        })
      ).json;
    const application = await post("", { displayName: "short-lived" });
    await azure.raw("/v1.0/servicePrincipals", {
      method: "POST",
      headers: bearer(graph.token),
      body: JSON.stringify({ appId: nonEmptyStringAt(application, "appId") ?? "" }),
    });
    const endDateTime = new Date(Date.now() + 30 * day).toISOString();
    const id = nonEmptyStringAt(application, "id") ?? "";
    const password = await post(`/${id}/addPassword`, { passwordCredential: { endDateTime } });
    const signIn = () =>
      tokenAt(nonEmptyStringAt(application, "appId") ?? "", nonEmptyStringAt(password, "secretText") ?? "");
    azure.advance(29 * day);
    assert.equal((await signIn()).status, 200);
    azure.advance(2 * day);
    const refused = await signIn();
    assert.match(refused.text, /AADSTS7000222/);
  });

  test("tokens from before a clock change expire with an error that makes clients sign in again", async () => {
    const { token } = await tokenAt(clientId, clientSecret.reveal());
    azure.advance(day);
    const refused = await azure.raw(`${groups}${v}`, { headers: bearer(token) });
    assert.equal(nonEmptyStringAt(refused.json, "error", "code"), "ExpiredAuthenticationToken");
    assert.match(String(refused.headers["www-authenticate"]), /error="insufficient_claims", claims="\w+=*"/);
    const anew = await tokenAt(clientId, clientSecret.reveal());
    assert.equal((await azure.raw(`${groups}${v}`, { headers: bearer(anew.token) })).status, 200);
  });

  test("tokens are valid by the clocks of external services", async () => {
    azure.advance(90 * day);
    const { token } = await tokenAt(clientId, clientSecret.reveal());
    const { nbf = 0, exp = 0 } = jose.decodeJwt(token);
    const now = Date.now() / 1000;
    assert.ok(nbf <= now && now < exp && exp < now + 7_200);
    azure.advance(day);
    assert.equal((await azure.raw(`${groups}${v}`, { headers: bearer(token) })).status, 401);
    azure.change({ clockAheadMs: 90 * day });
    assert.equal((await azure.raw(`${groups}${v}`, { headers: bearer(token) })).status, 200);
  });

  test("official clients continue after a move", async () => {
    const call = azure.clients.call(AbortSignal.timeout(900_000));
    const { resourceGroups } = azure.clients.resources;
    await resourceGroups.createOrUpdate("moved", { location }, call);
    azure.advance(90 * day);
    assert.equal((await resourceGroups.get("moved", call)).name, "moved");
  });

  test("operations complete by it, and administrators set it", async () => {
    const slow = { kind: "operation-slow", delayMs: 3 * day } as const;
    azure.change({ faults: { slow } });
    await azure.arm("PUT", `${groups}/g${v}`, { location });
    const path = `${groups}/g/providers/Microsoft.Network/routeTables/t?api-version=2024-03-01`;
    await azure.arm("PUT", path, { location });
    const state = async () =>
      nonEmptyStringAt((await azure.arm("GET", path)).json, "properties", "provisioningState");
    const before = Date.now();
    const body = JSON.stringify({ advanceMs: 3 * day });
    const moved = await azure.raw("/sim/clock", { method: "POST", headers: admin, body });
    assert.equal(at(moved.json, "aheadMs"), 3 * day);
    assert.ok(Date.parse(nonEmptyStringAt(moved.json, "now") ?? "") >= before + 3 * day);
    for (let look = 0; look < 500 && (await state()) !== "Succeeded"; look++);
    assert.equal(await state(), "Succeeded");
    const back = await azure.raw("/sim/clock", { method: "DELETE", headers: admin });
    assert.equal(at(back.json, "aheadMs"), 0);
  });

  for (const [method, body, status] of [
    ["POST", { advanceMs: "1" }, 400],
    ["POST", { advanceMs: 1.5 }, 400],
    ["POST", { advanceMs: 1e15 }, 400],
    ["PUT", {}, 405],
  ] as const)
    test(`${method} of ${JSON.stringify(body)} is rejected`, async () => {
      const response = await azure.raw("/sim/clock", { method, headers: admin, body: JSON.stringify(body) });
      assert.equal(response.status, status);
    });
});

test("the clock offset and the active faults with their counts survive a restart", async () => {
  const directory = mkdtempSync(join(tmpdir(), "sim-azure-clock-"));
  try {
    const state = { kind: "file", path: join(directory, "azure.db") } as const;
    {
      await using azure = await startTestAzure({ state });
      azure.advance(day);
      azure.change({ faults: { twice: { kind: "throttled", count: 2 } } });
      assert.equal((await azure.arm("GET", `${groups}${v}`)).status, 429);
    }
    await using azure = await startTestAzure({ state });
    const { json } = await azure.raw("/sim/clock", { headers: admin });
    assert.equal(at(json, "aheadMs"), day);
    const statuses = await Array.fromAsync([1, 2], () => azure.arm("GET", `${groups}${v}`));
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [429, 200],
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
});
