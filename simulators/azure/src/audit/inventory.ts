import type { JsonObject } from "@keelson/base";
import type { ResourceGroup } from "../arm/resource-group.ts";
import type { Subscription } from "../arm/subscription.ts";
import { members } from "../base/json.ts";
import { Directory } from "../entra/directory.ts";

/** Resource with the properties that an audit compares. */
export interface InventoryResource {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Properties that identify the resource's owner and state. */
  readonly properties: JsonObject;
}

/** Audited state of a subscription as JSON. */
export interface Inventory {
  readonly groups: readonly Pick<ResourceGroup, "id" | "name" | "managedBy" | "state">[];
  readonly resources: readonly InventoryResource[];
  /** Object IDs of all principals, in lower case. */
  readonly principalIds: readonly string[];
  readonly applications: readonly { readonly clientId: string; readonly displayName: string }[];
}

const audited = [
  "provisioningState",
  "principalId",
  "scope",
  "issuer",
  "audiences",
  "metadata",
  "roleName",
  "assignableScopes",
];

export function inventoryOf(subscription: Subscription): Inventory {
  const directory = new Directory(subscription.store);
  return {
    groups: [...subscription.groups.values()].map(({ id, name, managedBy, state }) => ({
      id,
      name,
      managedBy,
      state,
    })),
    resources: subscription.resources
      .all()
      .filter(({ body }) => members(body.properties).type !== "BuiltInRole")
      .map(({ id, name, type, body }) => {
        const properties = Object.entries(members(body.properties)).filter(([each]) =>
          audited.includes(each),
        );
        return { id, name, type, properties: Object.fromEntries(properties) };
      }),
    principalIds: [...directory.servicePrincipals(), ...directory.users(), ...directory.groups()].map(
      ({ objectId }) => objectId.toLowerCase(),
    ),
    applications: directory.applications().map(({ clientId, displayName }) => ({ clientId, displayName })),
  };
}
