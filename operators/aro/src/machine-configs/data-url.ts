const prefix = "data:text/plain;charset=utf-8;base64,";

/** Returns a data URL in the form that ARO-RP uses for file contents (RFC 2397). */
export function encodeDataUrl(contents: string | Buffer): string {
  return `${prefix}${Buffer.from(contents).toString("base64")}`;
}

/** Returns the bytes of a data URL in any valid form. `undefined` for a malformed URL or a scheme other than `data`. */
export function decodeDataUrl(url: string): Buffer | undefined {
  const match = /^data:([^,]*),(.*)$/is.exec(url);
  if (!match) return undefined;
  const [, mediaType = "", body = ""] = match;
  const bytes = percentDecoded(body);
  if (!bytes || !/;base64$/i.test(mediaType)) return bytes;
  const text = bytes.toString("latin1");
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? Buffer.from(text, "base64") : undefined;
}

/** Decodes the body to bytes instead of a string. For example, `%ff` is one byte that is not valid UTF-8. */
function percentDecoded(body: string): Buffer | undefined {
  if (!body.includes("%")) return Buffer.from(body);
  const parts = body.split(/(%[0-9A-Fa-f]{2})/);
  if (parts.some((part, index) => index % 2 === 0 && part.includes("%"))) return undefined;
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 0 ? Buffer.from(part) : Buffer.from(part.slice(1), "hex"))),
  );
}
