import { redactText } from "@keelson/base";
import { redacted } from "./redacted-json.ts";
import { redactedUrl } from "./redacted-parameters.ts";

const maxValue = 512;

/** Headers that are logged. Only the scheme of `authorization` is logged. */
const logged = new Set([
  ...[
    "accept",
    "content-type",
    "content-length",
    "user-agent",
    "if-match",
    "if-none-match",
    "prefer",
    "range",
  ],
  ...["etag", "retry-after", "x-ms-request-id", "x-ms-correlation-request-id", "x-ms-client-request-id"],
  ...["client-request-id", "request-id", "x-ms-version", "x-ms-error-code", "x-ms-routing-request-id"],
  ...["x-ms-ratelimit-remaining-subscription-reads", "x-ms-ratelimit-remaining-subscription-writes"],
  ...["x-ms-ratelimit-remaining-subscription-deletes", "x-ms-blob-type", "x-ms-date", "date"],
]);
const urls = new Set(["location", "azure-asyncoperation", "operation-location", "content-location"]);

export type HeaderValues = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Returns the loggable headers without secrets. */
export function loggedHeaders(headers: HeaderValues): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (value === undefined) return [];
    const text = (typeof value === "object" ? value.join(", ") : String(value)).slice(0, maxValue);
    if (name === "authorization")
      return [[name, `${/^(?:Bearer|Basic|SharedKey)\b/i.exec(text)?.[0] ?? ""} ${redacted}`.trim()]];
    if (urls.has(name)) return [[name, redactedUrl(text)]];
    return logged.has(name) ? [[name, redactText(text)]] : [];
  });
  return Object.fromEntries(shown);
}
