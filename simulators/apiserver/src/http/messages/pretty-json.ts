import type { IncomingMessage } from "node:http";
import { booleanOf } from "@keelson/apimachinery";

/** Maximum size of a document that is indented, in bytes. Larger documents are sent without white space. */
export const maxPrettyBytes = 1_048_576;

/**
 * True if a response must be indented. Without the parameter `pretty`, this is true only for browsers, curl and Wget. Source:
 * kubernetes apiserver pkg/endpoints/handlers/negotiation (isPrettyPrint).
 */
export function wantsPretty({ url = "", headers }: IncomingMessage): boolean {
  const query = url.includes("pretty=") ? new URL(url, "http://server").searchParams.get("pretty") : null;
  if (query) return booleanOf(query) === true;
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headers["user-agent"] ?? "");
}

const tokens = /"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g;

/**
 * Indents JSON that contains no white space. Each level is indented by two spaces, as in Go's encoder. Numbers and strings are
 * copied unchanged.
 */
export function indentJson(json: Buffer): Buffer {
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  // Latin-1 maps each byte to one character, so UTF-8 strings are copied unchanged.
  const indented = json.toString("latin1").replace(tokens, (token) => {
    switch (token) {
      case "{":
      case "[":
        depth += 1;
        return `${token}${line()}`;
      case "}":
      case "]":
        depth -= 1;
        return `${line()}${token}`;
      case ",":
        return `,${line()}`;
      case ":":
        return ": ";
      default:
        return token;
    }
  });
  return Buffer.from(indented, "latin1");
}
