import type { JsonObject } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { parentId } from "../arm/arm-path.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { at, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";

/**
 * Changes a vault's access policies. `add` merges each policy into the existing policy of its principal. `replace` and `remove`
 * replace or remove the policies of the given principals.
 */
export const vaultAccessPolicies: ResourceType = {
  namespace: "Microsoft.KeyVault",
  type: "vaults/accessPolicies",
  location: "none",
  provisioningState: false,
  names: /^(add|replace|remove)$/i,
  checkDelete() {
    throw new ArmError(
      405,
      "HttpMethodNotAllowed",
      "Access policies are removed with PUT accessPolicies/remove.",
    );
  },
  prepare({ id, name, body }, subscription) {
    const vault = subscription.resources.find(parentId(id));
    if (!vault) throw new ArmError(404, "ParentResourceNotFound", `The vault of '${id}' does not exist.`);
    const given = objectsAt(body, "properties", "accessPolicies");
    if (!Array.isArray(at(body, "properties", "accessPolicies")) || given.some((each) => !ownerOf(each))) {
      throw badRequest("BadRequest", "Each of 'properties.accessPolicies' needs 'tenantId' and 'objectId'.");
    }
    const accessPolicies = changed(
      name.toLowerCase(),
      objectsAt(vault.body, "properties", "accessPolicies"),
      given,
    );
    subscription.resources.put({ ...vault, body: withProperties(vault.body, { accessPolicies }) });
    return { body: withProperties(body, { accessPolicies }) };
  },
};

function changed(
  operation: string,
  present: readonly JsonObject[],
  given: readonly JsonObject[],
): readonly JsonObject[] {
  const owners = new Set(given.map(ownerOf));
  const others = present.filter((each) => !owners.has(ownerOf(each)));
  if (operation === "remove") return others;
  if (operation === "replace") return [...others, ...given];
  const added = given.map((each) => {
    const known = present.find((policy) => ownerOf(policy) === ownerOf(each));
    return known ? { ...known, ...each, permissions: mergedPermissions(known, each) } : each;
  });
  return [...others, ...added];
}

/** Returns the principal and the application to which a policy applies. Returns undefined if the policy is incomplete. */
function ownerOf(policy: JsonObject): string | undefined {
  const [tenant, principal] = [nonEmptyStringAt(policy, "tenantId"), nonEmptyStringAt(policy, "objectId")];
  if (!tenant || !principal) return undefined;
  return [tenant, principal, nonEmptyStringAt(policy, "applicationId") ?? ""].join("/").toLowerCase();
}

function mergedPermissions(known: JsonObject, given: JsonObject): JsonObject {
  const kinds = ["keys", "secrets", "certificates", "storage"] as const;
  const listed = (policy: JsonObject, kind: string) => {
    const list = at(policy, "permissions", kind);
    return Array.isArray(list) ? list : [];
  };
  return Object.fromEntries(
    kinds
      .map((kind) => [kind, [...new Set([...listed(known, kind), ...listed(given, kind)])]] as const)
      .filter(([, list]) => list.length > 0),
  );
}
