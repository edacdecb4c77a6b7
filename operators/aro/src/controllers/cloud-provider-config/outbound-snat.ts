import { exactJson } from "@keelson/base";
import { readJsonObject } from "../../runtime/json-object.ts";

const member = "disableOutboundSNAT";

/**
 * The cloud provider's configuration with the load balancers' outgoing translation of addresses switched off; the same
 * text where it is. All other members stay, and so does the indentation.
 * @throws Error for a text that is no JSON object
 */
export function withoutOutboundSnat(text: string): string {
  const configuration = readJsonObject(text);
  if (!configuration) throw new Error("is no JSON object");
  if (configuration[member] === true) return text;
  const [, indentation] = /^\s*\{\r?\n([ \t]+)"/.exec(text) ?? [];
  return exactJson({ ...configuration, [member]: true }, indentation);
}
