import { formatAge, formatLocalTime, formatTime } from "./time.ts";

/** Time in the browser's time zone. The element's description contains the time in UTC and its age. */
export function TimeText({ at }: { readonly at: string }) {
  if (Number.isNaN(Date.parse(at))) return formatTime(at);
  return (
    <time dateTime={at} title={`${formatTime(at)}, ${formatAge(at, Date.now())}`}>
      {formatLocalTime(at)}
    </time>
  );
}
