import { redactText } from "@keelson/base";
import { type RedactedText, redacted } from "./redacted-json.ts";
import { isPublicName, isSecretName } from "./secret-names.ts";

const maxPath = 2_048;

/** Parameters of queries with public values. */
const publicParameters = new Set([
  ...["api-version", "$filter", "$select", "$top", "$skip", "$orderby", "$count", "$expand", "$search"],
  ...["comp", "restype", "prefix", "delimiter", "maxresults", "marker", "include", "timeout", "blockid"],
  ...["resource", "scope", "client_id", "response_type", "redirect_uri", "prompt", "tid", "statusonly"],
]);

/** Path with query. Values of parameters that are not known as public are redacted. */
export function redactedTarget(target: string): string {
  const [path = "", query] = target.split(/\?(.*)/s);
  const shown = redactText(path.slice(0, maxPath));
  if (query === undefined || query === "") return shown;
  return `${shown}?${parameters(query, (name) => publicParameters.has(name)).slice(0, maxPath)}`;
}

/** Absolute URL of a header, such as `Location`. */
export function redactedUrl(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? parsed.origin + redactedTarget(`${parsed.pathname}${parsed.search}`) : redactedTarget(url);
}

/** Form of a sign-in, one line for each field. */
export function redactedForm(form: URLSearchParams, maxLength: number): RedactedText {
  const lines = [...form].map(([name, value]) => {
    const isPublic = isPublicName(name) && !isSecretName(name.replace(/_type$/, ""));
    return `${redactText(name)}=${isPublic || name === "client_assertion_type" ? redactText(value) : redacted}`;
  });
  const text = lines.join("\n");
  return { text: text.slice(0, maxLength), ...(text.length > maxLength ? { isCut: true } : {}) };
}

function parameters(query: string, isPublic: (name: string) => boolean): string {
  return query
    .split("&")
    .slice(0, 50)
    .map((part) => {
      const [name = "", value] = part.split(/=(.*)/s);
      if (value === undefined) return isPublic(lowerCase(name)) ? name : redacted;
      return `${redactText(name)}=${isPublic(lowerCase(name)) ? redactText(value) : redacted}`;
    })
    .join("&");
}

function lowerCase(name: string): string {
  try {
    return decodeURIComponent(name).toLowerCase();
  } catch {
    return "";
  }
}
