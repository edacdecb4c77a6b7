/**
 * Tests that kubeconfigs of the portal stop working when the sign-in under which they were issued ends. The tests also cover a
 * second portal with the same database.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type SimulatedCluster, startSimulatedCluster } from "@keelson/admin-actions/testing";
import { systemClock } from "@keelson/base";
import { portalRoutes } from "@keelson/portal-api";
import { Value } from "typebox/value";
import type { Portal } from "../start-portal.ts";
import { bothKubeconfigs, storeCluster } from "../testing/store-cluster.ts";
import { type Person, startTestPortal, type TestPortal } from "../testing/test-portal.ts";

let at: TestPortal;
let second: Portal;
let cluster: SimulatedCluster;
let id: string;
let administrator: Person;
const signal = AbortSignal.timeout(900_000);

before(async () => {
  [at, cluster] = await Promise.all([startTestPortal(), startSimulatedCluster()]);
  second = await at.startAnother();
  id = await storeCluster(at.database, bothKubeconfigs(cluster.kubeconfig));
  administrator = await at.signedIn("administrator");
});
after(async () => {
  await second?.[Symbol.asyncDispose]();
  await at?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

/** Sends a request with the person's cookies and CSRF token. */
const send = ({ browser, csrf }: Person, method: string, path: string, body?: object) =>
  browser.send(at.portal.url, path, {
    method,
    headers: { "x-csrf-token": csrf, ...(body ? { "content-type": "application/json" } : {}) },
    body: body && JSON.stringify(body),
  });

async function newKubeconfig(person: Person): Promise<string> {
  const { status, text } = await send(person, "POST", `${id}/kubeconfig/new`);
  assert.equal(status, 200, text);
  return JSON.parse(text).users[0].user.token;
}

/** Returns the response statuses of both portals for a request with the token. */
const statuses = (token: string) =>
  Promise.all(
    [at.portal.url, second.url].map(async (url) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await at.newBrowser().send(url, `${id}/kubeconfig/proxy/api/v1/nodes`, { headers })).status;
    }),
  );

const sessionsOf = async (person: Person, query = "") =>
  JSON.parse((await person.browser.send(at.portal.url, `/api/sessions${query}`)).text).sessions;

const lastAudit = (operation: string) =>
  at.lines.findLast((line) => line.logKind === "audit" && line.operation === operation);

test("the end of all sign-ins of a person ends the person's kubeconfigs at every portal", async () => {
  const [one, two] = [await at.signedIn("operator"), await at.signedIn("operator")];
  const reader = await at.signedIn("reader");
  const tokens = [await newKubeconfig(one), await newKubeconfig(two)];
  const other = await newKubeconfig(reader);
  for (const token of [...tokens, other]) assert.deepEqual(await statuses(token), [200, 200]);
  assert.equal((await send(one, "POST", "/api/sign-outs", {})).status, 204);
  for (const token of tokens) assert.deepEqual(await statuses(token), [403, 403]);
  assert.deepEqual(await statuses(other), [200, 200]);
  const again = await at.signedIn("operator");
  assert.deepEqual(await sessionsOf(again), []);
  assert.deepEqual(await statuses(await newKubeconfig(again)), [200, 200]);
});

test("a sign-out ends the kubeconfigs of that sign-in alone", async () => {
  const [one, two] = [await at.signedIn("operator"), await at.signedIn("operator")];
  const [first, other] = [await newKubeconfig(one), await newKubeconfig(two)];
  assert.equal((await send(one, "POST", "/api/logout")).status, 303);
  assert.deepEqual(
    [await statuses(first), await statuses(other)],
    [
      [403, 403],
      [200, 200],
    ],
  );
});

test("a sign-in that ended a moment ago opens no session at a portal that does not know of it yet", async () => {
  const person = await at.signedIn("operator");
  const atSecond = async () =>
    person.browser.send(second.url, `${id}/kubeconfig/new`, {
      method: "POST",
      headers: { "x-csrf-token": person.csrf, origin: second.url },
    });
  assert.equal((await atSecond()).status, 200);
  const cookies = [...person.browser.cookies];
  assert.equal((await send(person, "POST", "/api/sign-outs", {})).status, 204);
  for (const [name, value] of cookies) person.browser.setCookie(name, value);
  for (;;) {
    const response = await atSecond();
    if (response.status !== 200) break;
    assert.deepEqual(await statuses(JSON.parse(response.text).users[0].user.token), [403, 403]);
    await systemClock.sleep(50, signal);
  }
});

test("persons list and end their own sessions, and with all rights other persons' sessions", async () => {
  const [operator, reader] = [await at.signedIn("operator"), await at.signedIn("reader")];
  const token = await newKubeconfig(operator);
  const listed = await operator.browser.send(at.portal.url, "/api/sessions");
  assert.deepEqual([...Value.Errors(portalRoutes.personSessions.response, JSON.parse(listed.text))], []);
  const [session] = await sessionsOf(operator);
  assert.deepEqual(
    [session.username, session.cluster, session.kind],
    ["operator@keelson.local", id, "kubeconfig"],
  );
  const query = "?username=OPERATOR@keelson.local";
  const refused = await reader.browser.send(at.portal.url, `/api/sessions${query}`);
  assert.equal(refused.status, 403);
  const path = `/api/sessions/${session.id}`;
  assert.equal((await send(reader, "DELETE", path)).status, 403);
  assert.equal((await send({ ...administrator, csrf: "x" }, "DELETE", path)).status, 403);
  assert.deepEqual(await statuses(token), [200, 200]);
  const seen = await sessionsOf(administrator, query);
  assert.ok(seen.some((each: { id: string }) => each.id === session.id));
  const listing = lastAudit("GET /api/sessions");
  assert.deepEqual(
    [listing?.caller, listing?.person],
    ["administrator@keelson.local", "OPERATOR@keelson.local"],
  );
  assert.equal((await send(administrator, "DELETE", path)).status, 204);
  const { caller, person, target, result } = lastAudit("DELETE /api/sessions/{session}") ?? {};
  assert.deepEqual(
    { caller, person, target, result },
    {
      caller: "administrator@keelson.local",
      person: "operator@keelson.local",
      target: path,
      result: "Success",
    },
  );
  assert.deepEqual(await statuses(token), [403, 403]);
  assert.equal((await send(administrator, "DELETE", path)).status, 404);
  const own = await newKubeconfig(operator);
  const [newest] = await sessionsOf(operator);
  assert.equal((await send(operator, "DELETE", `/api/sessions/${newest.id}`)).status, 204);
  assert.deepEqual(await statuses(own), [403, 403]);
});

test("the audit names the person of the ended sign-ins", async () => {
  const body = { username: "grace@example.com" };
  assert.equal((await send(administrator, "POST", "/api/sign-outs", body)).status, 204);
  const line = lastAudit("POST /api/sign-outs");
  assert.deepEqual([line?.caller, line?.person], ["administrator@keelson.local", "grace@example.com"]);
});

test("the kubeconfig proxy accepts no cookie of a sign-in", async () => {
  const { status } = await administrator.browser.send(at.portal.url, `${id}/kubeconfig/proxy/api/v1/nodes`);
  assert.equal(status, 403);
});
