import { formatAge, formatLocalTime, formatTime } from "./time.ts";

/** A time in the person's zone. The time in UTC and the age are in its description. */
export function TimeText({ at }: { readonly at: string }) {
  if (Number.isNaN(Date.parse(at))) return formatTime(at);
  return (
    <time dateTime={at} title={`${formatTime(at)}, ${formatAge(at, Date.now())}`}>
      {formatLocalTime(at)}
    </time>
  );
}
