import { type ClockParts, clockParts } from "../values/time.ts";
import { duration, int, string, timestamp } from "../values/type.ts";
import { errorValue, type Result } from "../values/value.ts";
import { type Library, method, type Overload } from "./overload.ts";

const ofClock: Readonly<Record<string, (parts: ClockParts) => number>> = {
  getFullYear: ({ year }) => year,
  getMonth: ({ month }) => month,
  getDate: ({ day }) => day,
  getDayOfMonth: ({ day }) => day - 1,
  getDayOfWeek: ({ weekday }) => weekday,
  getDayOfYear: ({ dayOfYear }) => dayOfYear,
  getHours: ({ hours }) => hours,
  getMinutes: ({ minutes }) => minutes,
  getSeconds: ({ seconds }) => seconds,
};

/** Returns the cost of a time zone lookup. */
const zoneCost = () => 100;

const ofTimestamp = Object.entries(ofClock).flatMap(([name, read]): readonly Overload[] => {
  const readIn = (nanos: bigint, zone?: string): Result => {
    const parts = clockParts(nanos, zone);
    return parts ? BigInt(read(parts)) : errorValue(`unknown time zone ${zone}`);
  };
  return [
    method(name, [timestamp], int, ([{ nanos }]) => readIn(nanos)),
    method(name, [timestamp, string], int, ([{ nanos }, zone]) => readIn(nanos, zone), zoneCost),
  ];
});

const milliseconds = (nanos: bigint) =>
  (((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n) / 1_000_000n;

/** Nanoseconds per unit of a duration. */
const units: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
};

export const times: Library = {
  overloads: [
    ...ofTimestamp,
    method("getMilliseconds", [timestamp], int, ([{ nanos }]) => milliseconds(nanos)),
    method("getMilliseconds", [timestamp, string], int, ([{ nanos }]) => milliseconds(nanos)),
    ...Object.entries(units).map(([name, unit]) =>
      method(name, [duration], int, ([{ nanos }]) => nanos / unit),
    ),
    method("getMilliseconds", [duration], int, ([{ nanos }]) => (nanos % 1_000_000_000n) / 1_000_000n),
  ],
};
