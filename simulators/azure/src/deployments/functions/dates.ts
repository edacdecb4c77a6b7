/** Matches the .NET date format specifiers that templates use. For each letter, the longest specifier is tried first. */
const part =
  /'[^']*'|yyyy|yy|MMMM|MMM|MM|M|dddd|ddd|dd|d|HH|H|hh|h|mm|m|ss|s|f{1,7}|tt|[A-Za-z]|[^A-Za-z']+/g;

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Formats a time in UTC. A format of one letter is a standard format. */
export function dateTimeFormat(at: Date, format: string): string {
  switch (format) {
    case "d":
      return dateTimeFormat(at, "M/d/yyyy");
    case "u":
      return dateTimeFormat(at, "yyyy-MM-dd HH:mm:ssZ");
    case "s":
      return dateTimeFormat(at, "yyyy-MM-ddTHH:mm:ss");
    case "o":
    case "O":
      return dateTimeFormat(at, "yyyy-MM-ddTHH:mm:ss.fffffffZ");
    case "R":
    case "r":
      return at.toUTCString();
  }
  return format.replace(part, (each) => partOf(at, each));
}

function partOf(at: Date, part: string): string {
  const hour = at.getUTCHours();
  const month = months[at.getUTCMonth()] ?? "";
  const day = days[at.getUTCDay()] ?? "";
  const padded = (value: number) => String(value).padStart(Math.min(part.length, 2), "0");
  switch (part) {
    case "yyyy":
      return String(at.getUTCFullYear()).padStart(4, "0");
    case "yy":
      return padded(at.getUTCFullYear() % 100);
    case "MMMM":
      return month;
    case "MMM":
      return month.slice(0, 3);
    case "MM":
    case "M":
      return padded(at.getUTCMonth() + 1);
    case "dddd":
      return day;
    case "ddd":
      return day.slice(0, 3);
    case "dd":
    case "d":
      return padded(at.getUTCDate());
    case "HH":
    case "H":
      return padded(hour);
    case "hh":
    case "h":
      return padded(hour % 12 === 0 ? 12 : hour % 12);
    case "mm":
    case "m":
      return padded(at.getUTCMinutes());
    case "ss":
    case "s":
      return padded(at.getUTCSeconds());
    case "tt":
      return hour < 12 ? "AM" : "PM";
  }
  if (/^f+$/.test(part)) {
    return `${String(at.getUTCMilliseconds()).padStart(3, "0")}0000`.slice(0, part.length);
  }
  return part.startsWith("'") ? part.slice(1, -1) : part;
}

const duration =
  /^(-?)P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Adds an ISO 8601 duration to a time. The duration may be negative. Time formats: `2026-01-31T...` and `20260131T120000Z`. */
export function dateTimeAdd(base: string, span: string): Date | undefined {
  const expanded = base.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z");
  const zoned =
    /(Z|[+-]\d\d:?\d\d)$/.test(expanded) || !/\d[T ]\d/.test(expanded) ? expanded : `${expanded}Z`;
  const at = new Date(zoned);
  const found = duration.exec(span);
  if (Number.isNaN(at.getTime()) || !found) return undefined;
  const sign = found[1] === "-" ? -1 : 1;
  const [years = 0, monthCount = 0, weeks = 0, dayCount = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(2)
    .map((each: string | undefined) => sign * Number(each ?? 0));
  const dayOfMonth = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + 12 * years + monthCount);
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  at.setUTCDate(Math.min(dayOfMonth, lastDay));
  return new Date(
    at.getTime() + (((weeks * 7 + dayCount) * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1_000,
  );
}
