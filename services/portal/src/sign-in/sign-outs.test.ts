import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { openStore } from "@keelson/cluster/testing";
import type { ServiceDatabase } from "@keelson/model";
import { signInKey } from "@keelson/portal-sessions";
import type { Login, SignInGeneration } from "./login.ts";
import { SignOuts } from "./sign-outs.ts";

const signal = AbortSignal.timeout(900_000);
let database: ServiceDatabase;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

function loginOf(clock: ManualClock, username: string, generation?: SignInGeneration): Login {
  const began = clock.now();
  const expires = new Date(began.getTime() + 3_600_000);
  const more = generation === undefined ? {} : { generation };
  return { id: randomUUID(), username, role: "reader", began, expires, ...more };
}

/** Returns a sign-in that starts now at the given portal. */
const signIn = async (signOuts: SignOuts, clock: ManualClock, username: string) =>
  loginOf(clock, username, await signOuts.generationOf(username, signal));

test("an ended sign-in is invalid here immediately, and at a different portal within seconds", async () => {
  const clock = new ManualClock(new Date());
  const [here, there] = [new SignOuts({ database, clock }), new SignOuts({ database, clock })];
  const [login, other] = [loginOf(clock, "ada@example.com"), loginOf(clock, "ada@example.com")];
  assert.equal(await there.has(login), false);
  await here.end(login, signal);
  assert.equal(await here.has(login), true);
  assert.equal(await there.has(login), false);
  await clock.advance(2_000);
  assert.equal(await there.has(login), true);
  assert.equal(await there.has(other), false);
});

test("ends all existing sign-ins of a person, but not later ones and those of other people", async () => {
  const clock = new ManualClock(new Date());
  const signOuts = new SignOuts({ database, clock });
  const [first, second, grace] = await Promise.all(
    ["Bea@example.com", "bea@example.com", "grace@example.com"].map((each) => signIn(signOuts, clock, each)),
  );
  assert.ok(first && second && grace);
  assert.equal(await signOuts.has(first), false);
  await signOuts.endAllOf("bea@example.com", signal);
  const after = await signIn(signOuts, clock, "bea@example.com");
  assert.deepEqual(await Promise.all([first, second, grace, after].map((each) => signOuts.has(each))), [
    true,
    true,
    false,
    false,
  ]);
  // Two concurrent calls end all sign-ins of the person.
  await Promise.all([1, 2].map(() => signOuts.endAllOf("bea@example.com", signal)));
  assert.equal(await signOuts.has(after), true);
});

for (const aheadMs of [3_000, -3_000])
  test(`the generation decides between portals with clocks ${aheadMs} ms apart`, async () => {
    const username = `${randomUUID()}@example.com`;
    const now = Date.now();
    const [clock, other] = [new ManualClock(new Date(now)), new ManualClock(new Date(now + aheadMs))];
    const [here, there] = [new SignOuts({ database, clock }), new SignOuts({ database, clock: other })];
    const before = await signIn(there, other, username);
    await here.endAllOf(username, signal);
    const after = await signIn(there, other, username);
    assert.deepEqual([await there.has(before), await there.has(after)], [true, false]);
    await other.advance(60_000);
    assert.deepEqual([await there.has(before), await there.has(after)], [true, false]);
  });

test("a cookie of an older release ends with all sign-ins, independent of its clock", async () => {
  const username = `${randomUUID()}@example.com`;
  const clock = new ManualClock(new Date());
  const signOuts = new SignOuts({ database, clock });
  const login = loginOf(new ManualClock(new Date(Date.now() + 3_000)), username);
  assert.equal(await signOuts.has(login), false);
  await signOuts.endAllOf(username, signal);
  assert.equal(await signOuts.has(login), true);
});

test("a cookie that was made without a database counts from its first use", async () => {
  const username = `${randomUUID()}@example.com`;
  const clock = new ManualClock(new Date());
  const [here, there] = [new SignOuts({ database, clock }), new SignOuts({ database, clock })];
  const unused = loginOf(clock, username, "first-use");
  await here.endAllOf(username, signal);
  assert.equal(await here.has(unused), true, "it was made before the end of all");
  await clock.advance(1);
  const used = loginOf(clock, username, "first-use");
  assert.deepEqual(await Promise.all([here.has(used), there.has(used)]), [false, false]);
  assert.equal((await there.sessionSignIn(used)).generation, 1);
  await here.endAllOf(username, signal);
  await clock.advance(2_000);
  assert.deepEqual(await Promise.all([here.has(used), there.has(used)]), [true, true]);
});

test("a sign-in passes its generation to its sessions, and opens no session after its end", async () => {
  const username = `${randomUUID()}@example.com`;
  const clock = new ManualClock(new Date());
  const [here, there] = [new SignOuts({ database, clock }), new SignOuts({ database, clock })];
  const login = await signIn(there, clock, username);
  const expected = { signIn: signInKey(login.id), generation: 0 };
  assert.deepEqual(await there.sessionSignIn(login), expected);
  await here.endAllOf(username, signal);
  // The session is stored with an outdated generation, because the second portal has not read the sign-out yet.
  assert.deepEqual(await there.sessionSignIn(login), expected);
  await clock.advance(2_000);
  await assert.rejects(there.sessionSignIn(login), { code: "Unauthenticated" });
});

test("long requests end with their sign-in", async () => {
  const clock = new ManualClock(new Date());
  const [here, there] = [new SignOuts({ database, clock }), new SignOuts({ database, clock })];
  const login = loginOf(clock, "ada@example.com");
  let hasEnded = false;
  const ended = there.ended(login, signal).then(() => {
    hasEnded = true;
  });
  await clock.advance(3_000);
  assert.equal(hasEnded, false);
  await here.end(login, signal);
  await clock.advance(3_000);
  await ended;
  const stopped = new AbortController();
  const waiting = there.ended(loginOf(clock, "ada@example.com"), stopped.signal);
  stopped.abort();
  await waiting;
});

test("an unresponsive database rejects all requests, and is queried again", async () => {
  const clock = new ManualClock(new Date());
  let fails = true;
  const portalSignOuts = {
    async find() {
      if (fails) throw new Error("the database is away");
      return undefined;
    },
  };
  const broken = { collections: { portalSignOuts } } as unknown as ServiceDatabase;
  const signOuts = new SignOuts({ database: broken, clock });
  const login = loginOf(clock, "ada@example.com");
  await assert.rejects(signOuts.has(login), /away/);
  fails = false;
  assert.equal(await signOuts.has(login), false);
});
