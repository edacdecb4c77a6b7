import { exactJson } from "@keelson/base";
import { readJsonObject } from "../../runtime/json-object.ts";

const member = "disableOutboundSNAT";

/**
 * Returns the cloud provider's configuration with outbound SNAT of load balancers disabled. Other fields and the indentation are
 * preserved. If outbound SNAT is already disabled, the input is returned unchanged.
 * @throws Error for a string that is not a JSON object
 */
export function withoutOutboundSnat(text: string): string {
  const configuration = readJsonObject(text);
  if (!configuration) throw new Error("is not a JSON object");
  if (configuration[member] === true) return text;
  const [, indentation] = /^\s*\{\r?\n([ \t]+)"/.exec(text) ?? [];
  return exactJson({ ...configuration, [member]: true }, indentation);
}
