import type { BlobRequest } from "./blob-request.ts";
import { sign } from "./sas-signature.ts";

const signedHeaders = [
  "content-encoding",
  "content-language",
  "content-length",
  "content-md5",
  "content-type",
  "date",
  "if-modified-since",
  "if-match",
  "if-none-match",
  "if-unmodified-since",
  "range",
];

/**
 * Returns the Shared Key signature of a request.
 * @see https://learn.microsoft.com/rest/api/storageservices/authorize-with-shared-key
 */
export function signSharedKey(request: BlobRequest, key: string): string {
  const { method, account, headers, rawPath, query } = request;
  const standard = signedHeaders.map((name) => {
    const value = headers[name] ?? "";
    return name === "content-length" && value === "0" ? "" : value;
  });
  const own = Object.entries(headers)
    .filter(([name]) => name.startsWith("x-ms-"))
    .sort(([a], [b]) => compareNames(a, b))
    .map(([name, value]) => `${name}:${value.trim()}`);
  const parameters = [...new Set([...query.keys()].map((name) => name.toLowerCase()))].sort().map((name) => {
    const values = [...query.entries()].filter(([each]) => each.toLowerCase() === name);
    return `${name}:${values
      .map(([, value]) => value)
      .sort()
      .join(",")}`;
  });
  return sign(key, [method, ...standard, ...own, `/${account}${rawPath}`, ...parameters]);
}

/** Compares header names in the order that Azure uses. Names are first compared without hyphens. */
function compareNames(a: string, b: string): number {
  const [x, y] = [a.replaceAll("-", ""), b.replaceAll("-", "")];
  if (x === y) return a < b ? -1 : 1;
  return x < y ? -1 : 1;
}
