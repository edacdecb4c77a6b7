import type { JsonObject } from "@keelson/base";
import { badRequest } from "../arm/arm-error.ts";
import { isJsonObject, members, nonEmptyStringAt } from "../base/json.ts";
import type { Place } from "./language/context.ts";
import type { DeploymentRequest } from "./prepare.ts";
import { requireInlineTemplate } from "./template/nested.ts";

const namePattern = /^[-\w.()]{1,64}$/;

/** Parses the request body of a deployment, a validation or a what-if. @throws ArmError 400 */
export function readDeployment(
  body: JsonObject,
  place: Place,
  name: string,
  baseUrl: string,
): DeploymentRequest {
  if (!namePattern.test(name)) {
    throw badRequest(
      "InvalidDeploymentName",
      `The deployment name '${name}' is not valid: it has 1 to 64 letters, digits, '-', '_', '.' and parentheses.`,
    );
  }
  if (!isJsonObject(body.properties)) {
    throw badRequest("InvalidRequestContent", "The request content was invalid: 'properties' is required.");
  }
  const { properties } = body;
  const location = nonEmptyStringAt(body, "location");
  if (place.group !== undefined && location !== undefined) {
    throw badRequest(
      "InvalidDeployment",
      `The 'location' property is not allowed for '${name}' at resource group scope. Please see https://aka.ms/deploy-to-subscription for usage details.`,
    );
  }
  if (place.group === undefined && location === undefined) {
    throw badRequest(
      "InvalidDeployment",
      `The 'location' property must be specified for '${name}'. Please see https://aka.ms/deploy-to-subscription for usage details.`,
    );
  }
  requireInlineTemplate(properties);
  const mode = modeOf(properties, place, name);
  return {
    name,
    place,
    location,
    mode,
    template: properties.template,
    parameters: parametersOf(properties),
    baseUrl,
  };
}

function modeOf({ mode }: JsonObject, place: Place, name: string): "Incremental" | "Complete" {
  if (mode === undefined || mode === null || mode === "") return "Incremental";
  const wanted = String(mode).toLowerCase();
  if (wanted === "incremental") return "Incremental";
  if (wanted !== "complete") {
    throw badRequest(
      "InvalidRequestContent",
      `The request content was invalid: 'mode' is 'Incremental' or 'Complete', and not '${String(mode)}'.`,
    );
  }
  if (place.group !== undefined) return "Complete";
  throw badRequest(
    "InvalidDeployment",
    `The deployment '${name}' has the mode 'Complete', which is not supported at the scope of the subscription.`,
  );
}

/** Returns the parameters in the request. Some clients send the content of a complete parameter file, which is also accepted. */
function parametersOf(properties: JsonObject): JsonObject {
  const given = members(properties.parameters);
  return given.$schema !== undefined && isJsonObject(given.parameters) ? given.parameters : given;
}
