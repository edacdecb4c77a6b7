import { createHmac } from "node:crypto";

/** Returns the signature of an account SAS with the parameters in `query`. */
export function signAccountSas(account: string, query: URLSearchParams, key: string): string {
  const parts = ["sp", "ss", "srt", "st", "se", "sip", "spr", "sv"].map((name) => query.get(name) ?? "");
  const scope = version(query) >= "2020-12-06" ? [query.get("ses") ?? ""] : [];
  return sign(key, [account, ...parts, ...scope, ""]);
}

/**
 * Returns the signature of a service SAS for a container or blob.
 * @param resource `/blob/{account}/{container}` or `/blob/{account}/{container}/{blob}`, not encoded
 */
export function signServiceSas(resource: string, query: URLSearchParams, key: string): string {
  const part = (name: string) => query.get(name) ?? "";
  const snapshot = version(query) >= "2018-11-09" ? [part("sr"), part("snapshot")] : [];
  const scope = version(query) >= "2020-12-06" ? [part("ses")] : [];
  return sign(key, [
    ...["sp", "st", "se"].map(part),
    resource,
    ...["si", "sip", "spr", "sv"].map(part),
    ...snapshot,
    ...scope,
    ...["rscc", "rscd", "rsce", "rscl", "rsct"].map(part),
  ]);
}

/**
 * Returns the signature of a user delegation SAS.
 * @param resource path as in `signServiceSas`
 */
export function signDelegatedSas(resource: string, query: URLSearchParams, key: string): string {
  const part = (name: string) => query.get(name) ?? "";
  const agents = version(query) >= "2020-02-10" ? ["saoid", "suoid", "scid"].map(part) : [];
  const delegated = version(query) >= "2025-07-05" ? ["skdutid", "sduoid"].map(part) : [];
  const scope = version(query) >= "2020-12-06" ? [part("ses")] : [];
  // Lines for the request headers and query parameters that the SAS requires. Such requirements are not supported, so both lines
  // are empty.
  const asked = version(query) >= "2026-04-06" ? ["", ""] : [];
  return sign(key, [
    ...["sp", "st", "se"].map(part),
    resource,
    ...["skoid", "sktid", "skt", "ske", "sks", "skv"].map(part),
    ...agents,
    ...delegated,
    ...["sip", "spr", "sv", "sr", "snapshot"].map(part),
    ...scope,
    ...asked,
    ...["rscc", "rscd", "rsce", "rscl", "rsct"].map(part),
  ]);
}

/** Signs lines of text with HMAC-SHA256. @param key base64 */
export function sign(key: string, lines: readonly string[]): string {
  return createHmac("sha256", Buffer.from(key, "base64")).update(lines.join("\n"), "utf8").digest("base64");
}

function version(query: URLSearchParams): string {
  return query.get("sv") ?? "";
}
