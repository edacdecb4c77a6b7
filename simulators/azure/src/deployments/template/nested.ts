import type { JsonObject } from "@keelson/base";
import { ArmError } from "../../arm/arm-error.ts";
import { at, nonEmptyStringAt } from "../../base/json.ts";

/** True if the expressions of a nested deployment can use only its own parameters and variables (inner scope). */
export function isInner(definition: JsonObject): boolean {
  const scope = nonEmptyStringAt(definition.properties, "expressionEvaluationOptions", "scope");
  return scope?.toLowerCase() === "inner";
}

/**
 * Rejects templates that are referenced by URL, because the simulation cannot read URLs.
 * @throws ArmError 400 InvalidContentLink
 */
export function requireInlineTemplate(properties: JsonObject): void {
  for (const link of ["templateLink", "parametersLink"]) {
    if (properties[link] === undefined || properties[link] === null) continue;
    const uri = nonEmptyStringAt(properties, link, "uri") ?? nonEmptyStringAt(properties, link, "id") ?? "";
    throw new ArmError(
      400,
      "InvalidContentLink",
      `Unable to download deployment content from '${uri}'. The simulation reads no links: pass the content itself.`,
    );
  }
  if (at(properties, "template") !== undefined) return;
  throw new ArmError(
    400,
    "InvalidRequestContent",
    "The request content was invalid: 'template' or 'templateLink' is required in 'properties'.",
  );
}
