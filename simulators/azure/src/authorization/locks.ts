import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { nonEmptyStringAt } from "../base/json.ts";
import { visibleFrom } from "./role-assignments.ts";

export const lockType = "Microsoft.Authorization/locks";

/** Locks on a subscription, a resource group or a resource. A lock also applies to all child scopes. */
export const locks: ResourceType = {
  namespace: "Microsoft.Authorization",
  type: "locks",
  scope: "any",
  location: "none",
  provisioningState: false,
  names: /^[^<>*%&:?+/\\\s][^<>*%&:?+/\\]{0,259}$/,
  prepare({ body }) {
    const level = nonEmptyStringAt(body, "properties", "level");
    if (level !== "CanNotDelete" && level !== "ReadOnly") {
      throw badRequest(
        "LockLevelNotValid",
        `The lock level '${level ?? ""}' is not valid. It must be 'CanNotDelete' or 'ReadOnly'.`,
      );
    }
    if ((nonEmptyStringAt(body, "properties", "notes") ?? "").length > 512) {
      throw badRequest("LockNotesTooLong", "The notes of a lock have at most 512 characters.");
    }
    return { body };
  },
  list: (scope, request, subscription) =>
    subscription.resources
      .ofType(lockType)
      .filter((each) => visibleFrom(scope, each, request.query.get("$filter"))),
};
