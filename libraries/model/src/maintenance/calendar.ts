/**
 * Parsed calendar expression `[Weekday[,...]] Year-Month-Day Hour:Minute[:00]` in UTC. Each number may be a list (`1,15`) or `*`.
 * An empty list matches every value. Format: Azure/ARO-RP docs/mimo.
 */
export interface Calendar {
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
  readonly years: readonly number[];
  /** 1 is January. */
  readonly months: readonly number[];
  readonly days: readonly number[];
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
}

export type ParsedCalendar =
  | { readonly kind: "calendar"; readonly calendar: Calendar }
  | { readonly kind: "problem"; readonly message: string };

const firstYear = 2026;
/** Last year of the search. */
const lastYear = 9999;
const numbers = String.raw`[\d,*]+`;
const pattern = new RegExp(
  `^(?:([a-zA-Z,]+) )?(${numbers})-(${numbers})-(${numbers}) (${numbers}):(${numbers})(?::(${numbers}))?$`,
);
const weekdayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

interface FieldRule {
  readonly name: string;
  /** Returns the problem of a value. Undefined for a valid value. */
  readonly refusal: (value: number) => string | undefined;
}

const outOf = (low: number, high: number) => (value: number) =>
  value < low || value > high ? `${value} is out of range` : undefined;

const rules = {
  years: {
    name: "year",
    refusal: (value) => {
      if (value < firstYear) return `${value} is out of range (before ${firstYear})`;
      return value > lastYear ? `${value} is out of range (after ${lastYear})` : undefined;
    },
  },
  months: { name: "month", refusal: outOf(1, 12) },
  days: { name: "day", refusal: outOf(1, 31) },
  hours: { name: "hour", refusal: outOf(0, 23) },
  minutes: {
    name: "minute",
    refusal: (value) => ([0, 15, 30, 45].includes(value) ? undefined : `'${value}' is not one of 0/15/30/45`),
  },
} as const satisfies Record<string, FieldRule>;

class CalendarProblem extends Error {}

export function parseCalendar(text: string): ParsedCalendar {
  try {
    return { kind: "calendar", calendar: parse(text) };
  } catch (error) {
    if (error instanceof CalendarProblem) return { kind: "problem", message: error.message };
    throw error;
  }
}

function parse(text: string): Calendar {
  const match = pattern.exec(text);
  if (!match) throw new CalendarProblem(`failed to match '${text}'`);
  const [, weekdays = "", years = "", months = "", days = "", hours = "", minutes = "", seconds = "0"] =
    match;
  const calendar = {
    weekdays: parseWeekdays(weekdays),
    years: parseField(years, rules.years),
    months: parseField(months, rules.months),
    days: parseField(days, rules.days),
    hours: parseField(hours, rules.hours),
    minutes: parseField(minutes, rules.minutes),
  };
  if (!/^00?$/.test(seconds)) {
    throw new CalendarProblem("error parsing seconds: per-second granularity is unsupported");
  }
  return calendar;
}

function parseWeekdays(text: string): readonly number[] {
  if (text === "") return [];
  return ascending(
    text
      .toLowerCase()
      .split(",")
      .map((name) => {
        const index = weekdayNames.findIndex((each) => each === name || each.slice(0, 3) === name);
        if (index < 0) throw new CalendarProblem(`error parsing weekday: unknown weekday '${name}'`);
        return index;
      }),
  );
}

function parseField(text: string, { name, refusal }: FieldRule): readonly number[] {
  if (text === "*") return [];
  return ascending(
    text.split(",").map((each) => {
      if (!/^\d{1,9}$/.test(each))
        throw new CalendarProblem(`error parsing ${name}: '${each}' is not a number`);
      const value = Number(each);
      const problem = refusal(value);
      if (problem !== undefined) throw new CalendarProblem(`error parsing ${name}: ${problem}`);
      return value;
    }),
  );
}

function ascending(values: readonly number[]): readonly number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

/**
 * Number of years to search. A leap day falls on the same weekday again after 28 years. Across a year such as 2100, which has no
 * leap day, it takes up to 40 years. If there is no match within this time, no later year has a match.
 */
const yearsAhead = 40;
const minuteMs = 60_000;

/** Returns the first time of `calendar` after `after`. Undefined if there is none. */
export function nextTime(calendar: Calendar, after: Date): Date | undefined {
  const start = new Date(Math.floor(after.getTime() / minuteMs) * minuteMs + minuteMs);
  const until = Math.max(start.getUTCFullYear(), ...calendar.years) + yearsAhead;
  for (const day of daysFrom(calendar, start, until)) {
    const isFirst = day.getTime() === midnight(start).getTime();
    const minuteOfDay = isFirst ? start.getUTCHours() * 60 + start.getUTCMinutes() : 0;
    const found = timeOfDay(calendar, minuteOfDay);
    if (found !== undefined) return new Date(day.getTime() + found * minuteMs);
  }
  return undefined;
}

/** Yields midnight of each day of the calendar, starting with the day of `start`. Months that do not match are skipped. */
function* daysFrom(calendar: Calendar, start: Date, until: number): Generator<Date> {
  const first = midnight(start).getTime();
  for (let year = start.getUTCFullYear(); year <= until; year++) {
    if (!allows(calendar.years, year)) continue;
    for (let month = 1; month <= 12; month++) {
      if (!allows(calendar.months, month)) continue;
      const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
      for (let day = 1; day <= length; day++) {
        const date = new Date(Date.UTC(year, month - 1, day));
        if (date.getTime() < first || !allows(calendar.days, day)) continue;
        if (allows(calendar.weekdays, date.getUTCDay())) yield date;
      }
    }
  }
}

/** Returns the first matching minute of the day at or after `earliest`. */
function timeOfDay({ hours, minutes }: Calendar, earliest: number): number | undefined {
  for (let minute = earliest; minute < 24 * 60; minute++) {
    if (allows(hours, Math.floor(minute / 60)) && allows(minutes, minute % 60)) return minute;
  }
  return undefined;
}

function midnight(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()));
}

function allows(values: readonly number[], value: number): boolean {
  return values.length === 0 || values.includes(value);
}
