import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { Secret, silentLogger, timeLimit } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { openStore } from "@keelson/cluster/testing";
import type { ServiceDatabase } from "@keelson/model";
import type { AdminTokens } from "./entra-id.ts";
import type { Login } from "./login.ts";
import { PersonTokens } from "./person-tokens.ts";

const signal = timeLimit(900_000);
const start = new Date("2026-11-29T12:00:00Z");
let database: ServiceDatabase & AsyncDisposable;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

const login = (): Login => ({
  ...{ id: randomUUID(), username: "ada@example.com", role: "operator" },
  ...{ began: start, expires: new Date(start.getTime() + 3_600_000) },
});

function tokensWith(refresh: (token: string) => Promise<Partial<AdminTokens>>) {
  const clock = new ManualClock(start);
  let renewals = 0;
  const options = { database, clock, logger: silentLogger };
  const in60Minutes = () => new Date(clock.now().getTime() + 3_600_000);
  const people = new PersonTokens({
    ...options,
    async refresh(token) {
      renewals++;
      const renewed = { accessToken: new Secret(`access-${renewals}`), expiresAt: in60Minutes() };
      return { ...renewed, ...(await refresh(token.reveal())) };
    },
  });
  const first = {
    accessToken: new Secret("access-0"),
    refreshToken: new Secret("refresh-0"),
    expiresAt: in60Minutes(),
  };
  return { clock, people, first, renewals: () => renewals };
}

test("a token with five minutes left is used, one with less is renewed once for all requests", async () => {
  const { clock, people, first, renewals } = tokensWith(async (token) => {
    assert.equal(token, "refresh-0");
    return { refreshToken: new Secret("refresh-1") };
  });
  const person = login();
  await people.keep(person.id, first, signal);
  const token = async () => (await people.accessToken(person, signal)).reveal();
  await clock.advance(55 * 60_000);
  assert.equal(await token(), "access-0");
  await clock.advance(1);
  assert.deepEqual(await Promise.all([token(), token(), token()]), ["access-1", "access-1", "access-1"]);
  assert.equal(await token(), "access-1");
  assert.equal(renewals(), 1);
});

test("a token that cannot be renewed is used to its end, and then asks for a sign-in", async () => {
  const { clock, people, first } = tokensWith(() => Promise.reject(new Error("invalid_grant")));
  const person = login();
  await people.keep(person.id, first, signal);
  await clock.advance(59 * 60_000);
  assert.equal((await people.accessToken(person, signal)).reveal(), "access-0");
  await clock.advance(60_000);
  await assert.rejects(people.accessToken(person, signal), { code: "Unauthenticated" });
});

test("a renewal continues for other requests after the first one has gone", async () => {
  const left = new AbortController();
  const { clock, people, first } = tokensWith(async () => {
    left.abort(new Error("gone"));
    return {};
  });
  const person = login();
  await people.keep(person.id, first, signal);
  await clock.advance(60 * 60_000);
  const [gone, stays] = await Promise.allSettled([
    people.accessToken(person, left.signal),
    people.accessToken(person, signal),
  ]);
  assert.deepEqual([gone.status, stays.status], ["rejected", "fulfilled"]);
});

test("tokens belong to one sign-in, and are gone after its end", async () => {
  const { people, first } = tokensWith(async () => ({}));
  const [one, two] = [login(), login()];
  await people.keep(one.id, first, signal);
  await assert.rejects(people.accessToken(two, signal), { code: "NotConfigured" });
  assert.deepEqual([await people.has(one, signal), await people.has(two, signal)], [true, false]);
  await people.forget(one, signal);
  await people.forget(one, signal);
  await assert.rejects(people.accessToken(one, signal), { code: "NotConfigured" });
});

test("the database has no token in clear text", async () => {
  const { people, first } = tokensWith(async () => ({}));
  const person = login();
  await people.keep(person.id, first, signal);
  const { items } = await database.collections.portalSignIns.list({ limit: 100 }, signal);
  assert.ok(items.length > 0);
  assert.doesNotMatch(JSON.stringify(items), /access-0|refresh-0/);
});
