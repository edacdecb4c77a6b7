import { listAt, textAt } from "../base/fields.ts";

/**
 * The contents of the file that an Ignition 3 configuration puts at `path`; `undefined` when it holds no such
 * file. `customData` is the base64 that the machine was created with; contents are `data:` URLs (RFC 2397).
 */
export function fileOfIgnition(customData: string, path: string): string | undefined {
  const config: unknown = JSON.parse(Buffer.from(customData, "base64").toString("utf8"));
  const file = listAt(config, "storage", "files").find((each) => textAt(each, "path") === path);
  const source = textAt(file, "contents", "source");
  return source === undefined ? undefined : decodeDataUrl(source);
}

function decodeDataUrl(url: string): string | undefined {
  const match = /^data:([^,]*),(.*)$/s.exec(url);
  if (!match) return undefined;
  const [, mediaType = "", body = ""] = match;
  const bytes = decodeURIComponent(body);
  return mediaType.endsWith(";base64") ? Buffer.from(bytes, "base64").toString("utf8") : bytes;
}
