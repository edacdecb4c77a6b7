import { CloudError } from "@keelson/arm";
import type { Exchange } from "../exchange.ts";

const words: Readonly<Record<string, boolean>> = {
  "1": true,
  t: true,
  true: true,
  "0": false,
  f: false,
  false: false,
};

/** A query parameter that is true or false; false when absent. @throws CloudError InvalidParameter for other values */
export function queryFlag(exchange: Exchange, name: string): boolean {
  const text = exchange.query(name);
  if (text === undefined) return false;
  const value = Object.hasOwn(words, text.toLowerCase()) ? words[text.toLowerCase()] : undefined;
  if (value !== undefined) return value;
  throw new CloudError("InvalidParameter", `The query parameter '${name}' must be 'true' or 'false'.`, {
    target: name,
  });
}
