import { formatAge, formatLocalTime, formatTime } from "./time.ts";

/** Time in the browser's time zone. Its description contains the UTC time and the age. */
export function TimeText({ at }: { readonly at: string }) {
  if (Number.isNaN(Date.parse(at))) return formatTime(at);
  return (
    <time dateTime={at} title={`${formatTime(at)}, ${formatAge(at, Date.now())}`}>
      {formatLocalTime(at)}
    </time>
  );
}
