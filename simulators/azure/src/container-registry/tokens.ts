import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { timestamp } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, withProperties } from "../base/json.ts";

/** Tokens with passwords. A scope map determines their permissions. */
export const tokens: ResourceType = {
  namespace: "Microsoft.ContainerRegistry",
  type: "registries/tokens",
  location: "none",
  names: /^[A-Za-z0-9-]{5,50}$/,
  readOnly: ["creationDate"],
  references: [{ path: [], member: "scopeMapId" }],
  prepare({ id, body, existing }, subscription) {
    if (!nonEmptyStringAt(body, "properties", "scopeMapId")) {
      throw badRequest("InvalidScopeMapId", `The token ${id} needs 'properties.scopeMapId'.`);
    }
    return {
      body: withProperties(body, {
        status: nonEmptyStringAt(body, "properties", "status") ?? "enabled",
        creationDate: existing?.createdAt ?? timestamp(subscription),
        // Only `generateCredentials` sets the passwords. Writes of the token do not change them.
        credentials: at(existing?.body, "properties", "credentials") ?? { certificates: [], passwords: [] },
      }),
    };
  },
};
