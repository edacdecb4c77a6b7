import { errors } from "../base/errors.ts";

/** Decodes a `data:` URL (RFC 2397). @throws InvalidIgnition */
export function decodeDataUrl(url: string): Buffer {
  const match = /^data:([^,]*),(.*)$/s.exec(url);
  if (!match) throw errors.InvalidIgnition("a data URL has no comma");
  const [, mediaType = "", body = ""] = match;
  const text = percentDecoded(body);
  if (!mediaType.toLowerCase().endsWith(";base64")) return text;
  const encoded = text.toString("latin1").replace(/\s/g, "");
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(encoded)) throw errors.InvalidIgnition("a data URL is not base64");
  return Buffer.from(encoded, "base64");
}

/** Decodes percent escapes to bytes, which need not be valid UTF-8. */
function percentDecoded(text: string): Buffer {
  if (!text.includes("%")) return Buffer.from(text);
  const parts = text.split(/%([0-9A-Fa-f]{2})/);
  return Buffer.concat(parts.map((part, index) => Buffer.from(part, index % 2 === 0 ? "utf8" : "hex")));
}

export function dataUrl(mediaType: string, text: string): string {
  return `data:${mediaType};base64,${Buffer.from(text).toString("base64")}`;
}
