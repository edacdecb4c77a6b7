import { redactText } from "@keelson/base";
import { type RedactedText, redacted } from "./redacted-json.ts";

const maxPath = 2_048;
const maxParameters = 50;

/** Query parameters with public values. */
const publicParameters = new Set([
  ...["api-version", "$filter", "$select", "$top", "$skip", "$orderby", "$count", "$expand", "$search"],
  ...["comp", "restype", "prefix", "delimiter", "maxresults", "marker", "include", "timeout", "blockid"],
  ...["resource", "scope", "client_id", "response_type", "redirect_uri", "prompt", "tid", "statusonly"],
]);

/** Form fields with public values. */
const publicFields = new Set([
  "grant_type",
  "client_id",
  "scope",
  "resource",
  "response_type",
  "redirect_uri",
  "client_assertion_type",
]);

/** Returns a path with its query. Values of parameters that are not public are redacted. */
export function redactedTarget(target: string): string {
  const [path = "", query] = target.split(/\?(.*)/s);
  const shown = redactText(path.slice(0, maxPath));
  if (query === undefined || query === "") return shown;
  return `${shown}?${parameters(query).slice(0, maxPath)}`;
}

/** Returns a header's absolute URL in redacted form. An example of such a header is `Location`. */
export function redactedUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? parsed.origin + redactedTarget(`${parsed.pathname}${parsed.search}`) : redactedTarget(url);
}

/** Returns a sign-in form with one line per field. Lines that exceed the limit are truncated. */
export function redactedForm(form: URLSearchParams, maxLength: number): RedactedText {
  const fields = [...form];
  const lines = fields.slice(0, maxParameters).map(([name, value]) => {
    return `${redactText(name)}=${publicFields.has(name) ? redactText(value) : redacted}`;
  });
  const text = lines.join("\n");
  const isCut = fields.length > maxParameters || text.length > maxLength;
  return { text: text.slice(0, maxLength), ...(isCut ? { isCut } : {}) };
}

function parameters(query: string): string {
  return query.split("&").slice(0, maxParameters).map(parameter).join("&");
}

/** Redacts a query parameter completely if it has no value or an unusual name, because the whole parameter may be a secret. */
function parameter(part: string): string {
  const [name = "", value = ""] = part.split(/=(.*)/s);
  if (publicParameters.has(lowerCase(name))) return redactText(part);
  return value !== "" && /^\$?[a-z-]{1,24}$/i.test(name) ? `${name}=${redacted}` : redacted;
}

function lowerCase(name: string): string {
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch {
    return "";
  }
}
