import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type Calendar, nextTime, parseCalendar } from "./calendar.ts";

function calendarOf(text: string): Calendar {
  const parsed = parseCalendar(text);
  assert.ok(parsed.kind === "calendar", JSON.stringify(parsed));
  return parsed.calendar;
}

function problemOf(text: string): string {
  const parsed = parseCalendar(text);
  assert.ok(parsed.kind === "problem", `${text} is refused`);
  return parsed.message;
}

const next = (text: string, after: string) => nextTime(calendarOf(text), new Date(after))?.toISOString();

describe("the next time of", () => {
  for (const [text, after, expected] of [
    ["*-*-* 00:00", "2026-03-01T00:00:00Z", "2026-03-02T00:00:00.000Z"],
    ["*-*-* 00:00", "2026-03-01T23:59:59.999Z", "2026-03-02T00:00:00.000Z"],
    ["*-*-* 06:00:00", "2026-03-01T05:59:59Z", "2026-03-01T06:00:00.000Z"],
    ["*-*-* *:15", "2026-03-01T05:15:00Z", "2026-03-01T06:15:00.000Z"],
    ["*-*-* *:0,30", "2026-03-01T05:15:30Z", "2026-03-01T05:30:00.000Z"],
    ["*-*-* *:*", "2026-03-01T05:15:30Z", "2026-03-01T05:16:00.000Z"],
    ["Mon *-*-* 00:00", "2026-11-22T08:00:00Z", "2026-11-23T00:00:00.000Z"],
    ["sunday,WED *-*-* 12:45", "2026-11-22T13:00:00Z", "2026-11-25T12:45:00.000Z"],
    ["*-*-31 00:00", "2026-02-01T00:00:00Z", "2026-03-31T00:00:00.000Z"],
    ["*-02-29 00:00", "2026-03-01T00:00:00Z", "2028-02-29T00:00:00.000Z"],
    ["*-1,12-1,15 0:0", "2026-12-31T00:00:00Z", "2027-01-01T00:00:00.000Z"],
    ["2030-*-* 00:00", "2026-01-01T00:00:00Z", "2030-01-01T00:00:00.000Z"],
    ["2026-*-* 00:00", "2026-12-31T00:00:00Z", undefined],
    ["*-02-30 00:00", "2026-01-01T00:00:00Z", undefined],
    ["9999-12-31 23:45", "2026-01-01T00:00:00Z", "9999-12-31T23:45:00.000Z"],
  ] as const) {
    test(`${text} after ${after} is ${expected ?? "never"}`, () => assert.equal(next(text, after), expected));
  }

  test("a leap day on a weekday is found over a century without one", () => {
    // 2096 and 2104 are leap years, 2100 is not.
    const found = nextTime(calendarOf("Wed *-02-29 00:00"), new Date("2096-03-01T00:00:00Z"));
    assert.equal(found?.getUTCDay(), 3);
    assert.equal(found?.getUTCDate(), 29);
  });
});

describe("refused is", () => {
  for (const [text, message] of [
    ["", "failed to match ''"],
    ["daily", "failed to match 'daily'"],
    ["*-*-*", "failed to match '*-*-*'"],
    ["Mon  *-*-* 00:00", "failed to match 'Mon  *-*-* 00:00'"],
    ["*-*-* 00:00 UTC", "failed to match '*-*-* 00:00 UTC'"],
    ["Noday *-*-* 00:00", "error parsing weekday: unknown weekday 'noday'"],
    ["Mon, *-*-* 00:00", "error parsing weekday: unknown weekday ''"],
    ["2025-*-* 00:00", "error parsing year: 2025 is out of range (before 2026)"],
    ["10000-*-* 00:00", "error parsing year: 10000 is out of range (after 9999)"],
    ["*-13-* 00:00", "error parsing month: 13 is out of range"],
    ["*-*-0 00:00", "error parsing day: 0 is out of range"],
    ["*-*-1,*, 00:00", "error parsing day: '*' is not a number"],
    ["*-*-* 24:00", "error parsing hour: 24 is out of range"],
    ["*-*-* 00:10", "error parsing minute: '10' is not one of 0/15/30/45"],
    ["*-*-* 00:00:30", "error parsing seconds: per-second granularity is unsupported"],
    ["*-*-* 00:00:*", "error parsing seconds: per-second granularity is unsupported"],
    [`${"9".repeat(400)}-*-* 00:00`, `error parsing year: '${"9".repeat(400)}' is not a number`],
  ] as const) {
    test(text.slice(0, 40) || "nothing", () => assert.equal(problemOf(text), message));
  }
});

const some = (values: readonly number[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });
const upTo = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const calendars = fc.record({
  weekdays: some(upTo(0, 6)),
  years: some([2026, 2027, 2030]),
  months: some(upTo(1, 12)),
  days: some(upTo(1, 31)),
  hours: some(upTo(0, 23)),
  minutes: some([0, 15, 30, 45]),
});
const names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const list = (values: readonly number[]) => (values.length === 0 ? "*" : values.join(","));
const textOf = ({ weekdays, years, months, days, hours, minutes }: Calendar) =>
  `${weekdays.map((each) => names[each]).join(",")}${weekdays.length > 0 ? " " : ""}` +
  `${list(years)}-${list(months)}-${list(days)} ${list(hours)}:${list(minutes)}`;
const times = fc.date({
  min: new Date("2026-01-01T00:00:00Z"),
  max: new Date("2031-12-31T00:00:00Z"),
  noInvalidDate: true,
});

function meets(calendar: Calendar, time: Date): boolean {
  const allows = (values: readonly number[], value: number) => values.length === 0 || values.includes(value);
  return (
    allows(calendar.weekdays, time.getUTCDay()) &&
    allows(calendar.years, time.getUTCFullYear()) &&
    allows(calendar.months, time.getUTCMonth() + 1) &&
    allows(calendar.days, time.getUTCDate()) &&
    allows(calendar.hours, time.getUTCHours()) &&
    allows(calendar.minutes, time.getUTCMinutes())
  );
}

test("a calendar is read as it was written, in ascending order", () => {
  fc.assert(
    fc.property(calendars, (calendar) => {
      const sorted = Object.fromEntries(
        Object.entries(calendar).map(([field, values]) => [field, values.toSorted((a, b) => a - b)]),
      );
      assert.deepEqual(calendarOf(textOf(calendar)), sorted);
    }),
  );
});

test("the next time meets the calendar, is later, on a whole minute, and the first such", () => {
  const quarterMs = 15 * 60_000;
  fc.assert(
    fc.property(calendars, times, (calendar, after) => {
      const found = nextTime(calendar, after);
      const limit = after.getTime() + 40 * 24 * 3_600_000;
      const end = Math.min(found?.getTime() ?? limit, limit);
      if (found) {
        assert.ok(found > after);
        assert.equal(found.getTime() % 60_000, 0);
        assert.ok(meets(calendar, found));
      }
      // All tested minutes are multiples of 15 or `*`. The loop checks every quarter of an hour, so it finds every earlier time.
      for (let ms = Math.ceil((after.getTime() + 1) / quarterMs) * quarterMs; ms < end; ms += quarterMs) {
        assert.ok(!meets(calendar, new Date(ms)), new Date(ms).toISOString());
      }
    }),
    { numRuns: 60 },
  );
});

test("every string is parsed or rejected", () => {
  const changed = fc
    .tuple(calendars.map(textOf), fc.nat(40), fc.constantFrom("", "0", "9", "*", ",", "-", ":", " ", "Mon"))
    .map(([text, at, piece]) => text.slice(0, at) + piece + text.slice(at + 1));
  const kinds = new Set<string>();
  fc.assert(
    fc.property(fc.oneof(fc.string(), changed), (text) => {
      const parsed = parseCalendar(text);
      kinds.add(parsed.kind);
      if (parsed.kind === "calendar") nextTime(parsed.calendar, new Date("2026-01-01T00:00:00Z"));
      else assert.match(parsed.message, /^\S/, text);
    }),
    { numRuns: 500 },
  );
  assert.equal(kinds.size, 2, "some are calendars, others not");
});
