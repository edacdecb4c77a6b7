import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Admission, Authorizer } from "@keelson/auth";
import { rightsOf } from "@keelson/auth";
import { requestWith } from "@keelson/auth/testing";
import { timeLimit } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { openStore } from "@keelson/cluster/testing";
import type { ServiceDatabase } from "@keelson/model";
import { elevate, endElevation, findElevation, withElevations } from "./elevation.ts";

const signal = timeLimit(900_000);
const clock = new ManualClock(new Date("2026-11-29T12:00:00Z"));
const ada = { subject: "tenant/ada", username: "ada@example.com", reason: "incident 7", minutes: 30 };

let database: ServiceDatabase & AsyncDisposable;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

const admin = { ...requestWith([]), path: "/admin/versions" };
const admitting = (admission: Admission): Authorizer => ({ authorize: () => admission, ready: () => true });
async function rightsAfter(admission: Admission, request = admin) {
  const authorizer = withElevations(admitting(admission), { database, clock });
  return rightsOf(await authorizer.authorize(request));
}
const token = (subject: string, rights: "reader" | "operator" | "elevated" | true) => ({
  rights,
  subject,
  vouchesForNames: false,
});

test("an elevation ends at its time", async () => {
  const deps = { database, clock };
  assert.equal(await findElevation(deps, ada.subject, signal), undefined);
  const { until } = await elevate(deps, ada, signal);
  assert.equal(until, "2026-11-29T12:30:00.000Z");
  assert.equal((await findElevation(deps, ada.subject, signal))?.until.toISOString(), until);
  assert.equal(await findElevation(deps, "tenant/bob", signal), undefined);
  assert.equal(await rightsAfter(token(ada.subject, "elevated")), "elevated");
  await clock.advance(30 * 60_000);
  assert.equal(await findElevation(deps, ada.subject, signal), undefined);
  assert.equal(await rightsAfter(token(ada.subject, "elevated")), "operator");
});

test("an elevation is replaced, and ended by its person", async () => {
  const deps = { database, clock };
  await Promise.all([1, 2, 3].map(() => elevate(deps, ada, signal)));
  await endElevation(database, ada.subject, signal);
  await endElevation(database, ada.subject, signal);
  assert.equal(await findElevation(deps, ada.subject, signal), undefined);
});

test("a renewal keeps the start of an elevation, and an elevation after its end has a new start", async () => {
  const deps = { database, clock };
  const first = await elevate(deps, ada, signal);
  await clock.advance(29 * 60_000);
  const renewed = await elevate(deps, ada, signal);
  assert.equal(renewed.from, first.from);
  assert.equal(Date.parse(renewed.until) - Date.parse(first.until), 29 * 60_000);
  await clock.advance(30 * 60_000);
  const afterExpiry = await elevate(deps, ada, signal);
  assert.notEqual(afterExpiry.from, first.from);
  await clock.advance(1);
  await endElevation(database, ada.subject, signal);
  const afterEnd = await elevate(deps, ada, signal);
  assert.notEqual(afterEnd.from, afterExpiry.from);
  assert.equal((await findElevation(deps, ada.subject, signal))?.from, afterEnd.from);
  await endElevation(database, ada.subject, signal);
});

test("the admission of an elevated person contains the start and the expiry of the elevation", async () => {
  const { from, until } = await elevate({ database, clock }, ada, signal);
  const authorizer = withElevations(admitting(token(ada.subject, "elevated")), { database, clock });
  assert.deepEqual(await authorizer.authorize(admin), {
    ...token(ada.subject, "elevated"),
    elevation: { from, until: new Date(until) },
  });
  await endElevation(database, ada.subject, signal);
});

describe("without an elevation, the admin API admits", () => {
  const bob = "tenant/bob";
  const rows: readonly [name: string, admission: Admission, rights: ReturnType<typeof rightsOf>][] = [
    ["an elevated person as operator", token(bob, "elevated"), "operator"],
    ["a person without configured roles as operator", token(bob, true), "operator"],
    ["an operator", token(bob, "operator"), "operator"],
    ["a reader", token(bob, "reader"), "reader"],
    ["no refused caller", false, false],
    ["a certificate", { rights: "elevated", subject: "CN=geneva", vouchesForNames: true }, "elevated"],
  ];
  for (const [name, admission, rights] of rows)
    test(name, async () => assert.equal(await rightsAfter(admission), rights));

  test("requests of customers unchanged", async () =>
    assert.equal(await rightsAfter(token(bob, true), requestWith([])), true));
});
