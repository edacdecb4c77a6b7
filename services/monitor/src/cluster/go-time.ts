/**
 * Formats an RFC 3339 time in UTC like Go: `2026-01-02 03:04:05.6 +0000 UTC`. Dashboards expect this form. Other strings are
 * returned unchanged.
 */
export function goTime(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d+))?Z$/.exec(text);
  if (!parts) return text;
  const fraction = (parts[3] ?? "").replace(/0+$/, "");
  return `${parts[1]} ${parts[2]}${fraction === "" ? "" : `.${fraction}`} +0000 UTC`;
}
