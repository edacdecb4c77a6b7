import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { openStore } from "@keelson/cluster/testing";
import type { ServiceDatabase } from "@keelson/model";
import type { Login } from "./login.ts";
import { SignOuts } from "./sign-outs.ts";

const signal = AbortSignal.timeout(900_000);
let database: ServiceDatabase;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

function loginOf(clock: ManualClock, username: string): Login {
  const began = clock.now();
  const expires = new Date(began.getTime() + 3_600_000);
  return { id: randomUUID(), username, role: "reader", began, expires };
}

test("a sign-in that was ended is ended here at once, and at another portal within seconds", async () => {
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

test("all sign-ins of a person that have begun are ended, those of others and later ones are not", async () => {
  const clock = new ManualClock(new Date());
  const signOuts = new SignOuts({ database, clock });
  const [first, second, grace] = ["Bea@example.com", "bea@example.com", "grace@example.com"].map((each) =>
    loginOf(clock, each),
  );
  assert.ok(first && second && grace);
  assert.equal(await signOuts.has(first), false);
  await signOuts.endAllOf("bea@example.com", signal);
  await clock.advance(1);
  assert.deepEqual(
    await Promise.all(
      [first, second, grace, loginOf(clock, "bea@example.com")].map((each) => signOuts.has(each)),
    ),
    [true, true, false, false],
  );
  await clock.advance(60_000);
  const later = loginOf(clock, "bea@example.com");
  // Twice, and by two at once: the latest counts.
  await clock.advance(1);
  await Promise.all([1, 2].map(() => signOuts.endAllOf("bea@example.com", signal)));
  assert.equal(await signOuts.has(later), true);
});

test("what goes on for long ends with its sign-in", async () => {
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

test("a database that does not answer lets no one in, and is asked again", async () => {
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
