/** Formats the age of a timestamp like OpenShift's tables: `3 minutes ago`. */
export function relativeTime(time: string, now: Date): string {
  return `${duration(Math.floor((now.getTime() - Date.parse(time)) / 1_000))} ago`;
}

function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.round(seconds / 3_600);
  if (seconds < 1) return "Less than a second";
  if (seconds === 1) return "1 second";
  if (seconds < 60) return `${seconds} seconds`;
  if (minutes === 1) return "About a minute";
  if (minutes < 60) return `${minutes} minutes`;
  if (hours === 1) return "About an hour";
  if (hours < 48) return `${hours} hours`;
  if (hours < 24 * 7 * 2) return `${Math.floor(hours / 24)} days`;
  if (hours < 24 * 30 * 2) return `${Math.floor(hours / 24 / 7)} weeks`;
  if (hours < 24 * 365 * 2) return `${Math.floor(hours / 24 / 30)} months`;
  return `${Math.floor(seconds / 3_600 / 24 / 365)} years`;
}
