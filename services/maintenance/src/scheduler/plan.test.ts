import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { resourceKey } from "@keelson/arm";
import type { MaintenanceSchedule } from "@keelson/model";
import fc from "fast-check";
import { comingPeriods, manifestId, offsetMs, planManifests, planOf } from "./plan.ts";

const now = new Date("2026-11-22T09:00:00Z");
const hourMs = 3_600_000;
const cluster = resourceKey(
  "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/g/providers/Microsoft.RedHatOpenShift/openShiftClusters/c",
);

function plan(change: Partial<MaintenanceSchedule> = {}) {
  return planOf({
    state: "Enabled",
    maintenanceTaskID: "task",
    schedule: "Mon *-*-* 00:00",
    lookForwardCount: 2,
    scheduleAcross: "1h",
    selectors: [],
    ...change,
  });
}

const clusters = fc.webSegment().map((name) => resourceKey(`/subscriptions/s/${name}`));
const seconds = (text: string) => Date.parse(text) / 1000;

test("the place of a cluster is the same every time, and before the end of the period", () => {
  fc.assert(
    fc.property(clusters, fc.integer({ min: 0, max: 400 * hourMs }), (key, acrossMs) => {
      const offset = offsetMs(key, acrossMs);
      assert.equal(offset, offsetMs(key, acrossMs));
      assert.equal(offset % 1000, 0);
      assert.ok(offset >= 0 && (acrossMs <= 1000 ? offset === 0 : offset < acrossMs));
    }),
  );
});

test("offsets match those of other implementations", () => {
  // The CRC-32 specification defines 0xcbf43926 as the CRC of the string "123456789".
  const share = 0xcbf43926 / 0xffffffff;
  assert.equal(offsetMs(resourceKey("123456789"), hourMs), Math.round(3599 * share) * 1000);
});

test("clusters spread over the period", () => {
  const offsets = Array.from({ length: 1_000 }, (_, index) =>
    offsetMs(resourceKey(`/subscriptions/s/cluster-${index}`), hourMs),
  );
  const quarters = [0, 1, 2, 3].map(
    (quarter) => offsets.filter((each) => Math.floor((4 * each) / hourMs) === quarter).length,
  );
  assert.ok(
    quarters.every((count) => count > 150),
    quarters.join(),
  );
});

describe("the coming periods", () => {
  for (const { lookForwardCount, starts } of [
    { lookForwardCount: 0, starts: ["2026-11-23T00:00:00Z"] },
    { lookForwardCount: 1, starts: ["2026-11-23T00:00:00Z"] },
    { lookForwardCount: 3, starts: ["2026-11-23T00:00:00Z", "2026-11-30T00:00:00Z", "2026-12-07T00:00:00Z"] },
  ]) {
    test(`with a look forward of ${lookForwardCount}`, () => {
      assert.deepEqual(
        comingPeriods(plan({ lookForwardCount }), now),
        starts.map((each) => new Date(each)),
      );
    });
  }

  test("end where the calendar ends", () => {
    const ending = plan({ schedule: "2026-11-23,24 00:00", lookForwardCount: 9 });
    assert.equal(comingPeriods(ending, now).length, 2);
    assert.deepEqual(comingPeriods(plan({ schedule: "2026-01-01 00:00" }), now), []);
  });
});

describe("the manifests of a cluster", () => {
  const offset = offsetMs(cluster, hourMs) / 1000;
  const first = seconds("2026-11-23T00:00:00Z") + offset;
  const second = seconds("2026-11-30T00:00:00Z") + offset;
  const at = (runAfter: number, id = `${runAfter}`) => ({ id, runAfter });

  test("are created for each coming period", () => {
    assert.deepEqual(planManifests(plan(), cluster, [], now), { create: [first, second], cancel: [] });
  });

  test("are unchanged if they exist", () => {
    const present = [at(first), at(second)];
    assert.deepEqual(planManifests(plan(), cluster, present, now), { create: [], cancel: [] });
  });

  test("are cancelled and created again after a change of the schedule", () => {
    const changed = planManifests(
      plan({ schedule: "Tue *-*-* 00:00" }),
      cluster,
      [at(first), at(second)],
      now,
    );
    assert.deepEqual(changed.cancel, [`${first}`, `${second}`]);
    assert.equal(changed.create.length, 2);
    const closer = planManifests(plan({ lookForwardCount: 1 }), cluster, [at(first), at(second)], now);
    assert.deepEqual(closer, { create: [], cancel: [`${second}`] });
  });

  test("that exist twice are cancelled once", () => {
    const present = [at(first, "a"), at(first, "b"), at(second)];
    assert.deepEqual(planManifests(plan(), cluster, present, now), { create: [], cancel: ["b"] });
  });

  test("of a period that has begun stay, and no new ones are created", () => {
    const within = new Date((first - 1) * 1000);
    const third = seconds("2026-12-07T00:00:00Z") + offset;
    const present = [at(first), at(second)];
    assert.deepEqual(planManifests(plan(), cluster, present, within), { create: [third], cancel: [] });
    assert.deepEqual(planManifests(plan(), cluster, [at(second)], within).create, [third]);
  });

  test("of all periods that have begun stay where periods overlap", () => {
    const hourly = plan({ schedule: "*-*-* *:00", scheduleAcross: "24h", lookForwardCount: 1 });
    const offset24 = offsetMs(cluster, 24 * hourMs) / 1000;
    const begun = [1, 2, 3].map((hours) => now.getTime() / 1000 - hours * 3600 + offset24);
    const future = begun.filter((each) => each > now.getTime() / 1000).map((each) => at(each));
    assert.ok(future.length > 0);
    assert.deepEqual(planManifests(hourly, cluster, future, now).cancel, []);
  });

  test("match the schedule after any change, and a second evaluation changes nothing", () => {
    const times = fc.integer({ min: seconds("2026-11-22T09:00:01Z"), max: seconds("2027-02-01T00:00:00Z") });
    const schedules = fc.constantFrom("Mon *-*-* 00:00", "*-*-1,15 12:30", "*-*-* *:00", "2026-01-01 00:00");
    fc.assert(
      fc.property(
        clusters,
        schedules,
        fc.array(times),
        fc.nat({ max: 5 }),
        (key, schedule, present, count) => {
          const wanted = plan({ schedule, lookForwardCount: count, scheduleAcross: "36h" });
          const before = present.map((runAfter, index) => at(runAfter, `${index}`));
          const { create, cancel } = planManifests(wanted, key, before, now);
          const after = [
            ...before.filter(({ id }) => !cancel.includes(id)),
            ...create.map((runAfter) => at(runAfter, `new ${runAfter}`)),
          ];
          assert.deepEqual(planManifests(wanted, key, after, now), { create: [], cancel: [] });
          assert.equal(new Set(after.map(({ runAfter }) => runAfter)).size, after.length);
        },
      ),
    );
  });
});

test("the ID of a manifest is a UUID of its schedule, cluster and time", () => {
  const id = manifestId("s", cluster, 1);
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(id, manifestId("s", cluster, 1));
  const others = [
    manifestId("t", cluster, 1),
    manifestId("s", resourceKey("x"), 1),
    manifestId("s", cluster, 2),
  ];
  assert.equal(new Set([id, ...others]).size, 4);
});
