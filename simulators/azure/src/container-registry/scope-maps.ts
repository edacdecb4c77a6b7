import { badRequest } from "../arm/arm-error.ts";
import { newRecord } from "../arm/new-record.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { referrerIds } from "../arm/resources.ts";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, withProperties } from "../base/json.ts";

const type = "Microsoft.ContainerRegistry/registries/scopeMaps";

const all = "repositories/*";
const pull = [`${all}/content/read`];
const push = [...pull, `${all}/content/write`];

/** Actions of the built-in scope maps, which every registry has. */
const system: Readonly<Record<string, readonly string[]>> = {
  _repositories_admin: [...push, `${all}/content/delete`, `${all}/metadata/read`, `${all}/metadata/write`],
  _repositories_pull: pull,
  _repositories_pull_metadata_read: [...pull, `${all}/metadata/read`],
  _repositories_push: push,
  _repositories_push_metadata_write: [...push, `${all}/metadata/read`, `${all}/metadata/write`],
};

/** Scope maps: the repository actions that tokens with this scope map may perform. */
export const scopeMaps: ResourceType = {
  namespace: "Microsoft.ContainerRegistry",
  type: "registries/scopeMaps",
  location: "none",
  names: /^[A-Za-z0-9_-]{5,50}$/,
  readOnly: ["type", "creationDate"],
  inUse: (map, by) =>
    badRequest(
      "ScopeMapInUse",
      `The scope map ${map.name} cannot be deleted: it is used by ${referrerIds(by)}.`,
    ),
  checkDelete: checkOwn,
  prepare({ id, body, existing }, subscription) {
    if (existing) checkOwn(existing);
    const actions = at(body, "properties", "actions");
    if (!Array.isArray(actions) || actions.length === 0 || !actions.every(isAction)) {
      throw badRequest(
        "InvalidScopeMapActions",
        `The scope map ${id} needs 'properties.actions' such as 'repositories/name/content/read'.`,
      );
    }
    const creationDate = existing?.createdAt ?? timestamp(subscription);
    return { body: withProperties(body, { type: "UserDefined", creationDate }) };
  },
};

export function systemScopeMaps(
  registry: ResourceRecord,
  subscription: Subscription,
): readonly ResourceRecord[] {
  return Object.entries(system).map(([name, actions]) => {
    const creationDate = timestamp(subscription);
    const properties = { type: "SystemDefined", actions, creationDate, provisioningState: "Succeeded" };
    return newRecord(subscription, { id: `${registry.id}/scopeMaps/${name}`, type, body: { properties } });
  });
}

function checkOwn(map: ResourceRecord): void {
  if (nonEmptyStringAt(map.body, "properties", "type") !== "SystemDefined") return;
  throw badRequest(
    "SystemDefinedScopeMap",
    `The scope map ${map.name} belongs to the system and cannot be changed.`,
  );
}

function isAction(action: unknown): boolean {
  return typeof action === "string" && /^(repositories|gateway)\/.+\/(read|write|delete)$/.test(action);
}
