import type { JsonObject, JsonValue } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { lastSegment } from "../arm/arm-path.ts";
import { members, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import type { Deployer } from "./arm-calls.ts";
import { scopeId } from "./language/context.ts";
import { contextIn } from "./lookups.ts";
import { inTurns, type Parts } from "./parts.ts";
import { evaluateBody, namespaceOf, nothingKnown, textIfKnown } from "./prepare.ts";
import type { Prepared } from "./prepared.ts";
import type { PlannedResource } from "./template/planned-resource.ts";

/** Sends a preflight of a deployment's resources to the provider of a namespace. */
export type AskProvider = (
  target: string,
  body: JsonValue,
  deployer: Deployer,
) => Promise<JsonValue | undefined>;

/**
 * Sends the deployment's resources of each external provider to the preflight of this provider, before any resource is written.
 * @throws ArmError 400 InvalidTemplateDeployment
 */
export async function preflight(
  prepared: Prepared,
  deployer: Deployer,
  ask: AskProvider | undefined,
): Promise<void> {
  const resources = prepared.resources.filter(
    (each) => namespaceOf(each) === "microsoft.redhatopenshift" && !each.skipped && !each.existing,
  );
  const [first] = resources;
  if (!ask || !first || prepared.place.group === undefined) return;
  const shown = await inTurns(shownTo(prepared, resources));
  const path = `${scopeId(prepared.place)}/providers/Microsoft.RedHatOpenShift/deployments/${prepared.name}/preflight`;
  const query = new URLSearchParams({ "api-version": first.apiVersion });
  const response = await ask(`${path}?${query}`, { resources: shown }, deployer);
  if (nonEmptyStringAt(response, "status") !== "Failed") return;
  throw notTaken(prepared.name, deployer, members(members(response).error));
}

/** Returns the resources of a deployment in the form that the provider's preflight receives. */
function* shownTo(prepared: Prepared, resources: readonly PlannedResource[]): Parts<readonly JsonObject[]> {
  const shown: JsonObject[] = [];
  for (const each of resources) {
    const { id, name, type, apiVersion } = each;
    const body = evaluateBody(each, contextIn(prepared, each, nothingKnown), textIfKnown);
    shown.push({
      id,
      name: lastSegment(name),
      type,
      apiVersion,
      dependsOn: each.dependsOn,
      scope: scopeId(prepared.place),
      ...body,
    });
    yield;
  }
  return shown;
}

function notTaken(name: string, { correlationId }: Deployer, error: JsonObject): ArmError {
  const details = objectsAt(error, "details");
  const target = nonEmptyStringAt(error, "target");
  return new ArmError(
    400,
    "InvalidTemplateDeployment",
    `The template deployment '${name}' is not valid according to the validation procedure. The tracking id is '${correlationId}'. See inner errors for details.`,
    {
      details: [
        {
          code: nonEmptyStringAt(error, "code") ?? "InvalidResource",
          ...(target ? { target } : {}),
          message: nonEmptyStringAt(error, "message") ?? "",
          ...(details.length > 0 ? { details } : {}),
        },
      ],
    },
  );
}
