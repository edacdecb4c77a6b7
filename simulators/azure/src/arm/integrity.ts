import { nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { badRequest } from "./arm-error.ts";
import { keyOf, sameId } from "./arm-path.ts";
import { referencesOf } from "./references.ts";
import type { Reference, ResourceRecord } from "./resource.ts";
import type { ResourceType } from "./resource-type.ts";
import type { Subscription } from "./subscription.ts";

/**
 * Checks that the targets of a written resource's references exist. Runs after the write, because elements of the resource's
 * arrays may refer to other elements that the same write creates. An error reverts the write. Soft references that existed before
 * the write are not checked, because their targets may have been deleted.
 * @throws ArmError
 */
export function checkReferences(
  subscription: Subscription,
  type: ResourceType,
  record: ResourceRecord,
  before: ResourceRecord | undefined,
): void {
  const mayBeGone = new Set(
    (before ? referencesOf(type, before) : []).flatMap(({ target, soft }) => (soft ? [keyOf(target)] : [])),
  );
  for (const { target, from } of referencesOf(type, record)) {
    if (subscription.resources.resolve(target) || mayBeGone.has(keyOf(target))) continue;
    throw badRequest(
      "InvalidResourceReference",
      `Resource ${target} referenced by resource ${from} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
    );
  }
}

/** Checks that no other resource refers to this resource, to its array elements or to its children. @throws ArmError */
export function checkUnused(subscription: Subscription, record: ResourceRecord): void {
  const type = subscription.registry.typeOf(record);
  const by = referrersBeside(subscription, record.id, record.id).filter((each) => !each.soft);
  if (by.length > 0 && type.inUse) throw type.inUse(record, by);
  for (const [property, element] of Object.entries(type.elements ?? {})) {
    for (const each of objectsAt(record.body, "properties", property)) {
      const id = nonEmptyStringAt(each, "id") ?? "";
      const users = referrersBeside(subscription, id, record.id).filter((user) => !user.soft);
      if (users.length > 0 && element.inUse) throw element.inUse(id, users);
    }
  }
}

/** Checks that an update does not remove an array element to which other resources refer. @throws ArmError */
export function checkDroppedElements(
  subscription: Subscription,
  type: ResourceType,
  before: ResourceRecord,
  after: ResourceRecord,
): void {
  for (const [property, element] of Object.entries(type.elements ?? {})) {
    const kept = new Set(
      objectsAt(after.body, "properties", property).map((each) => keyOf(nonEmptyStringAt(each, "id") ?? "")),
    );
    for (const each of objectsAt(before.body, "properties", property)) {
      const id = nonEmptyStringAt(each, "id") ?? "";
      const users = kept.has(keyOf(id)) ? [] : referrersBeside(subscription, id, before.id);
      if (users.length > 0 && element.inUse) throw element.inUse(id, users);
    }
  }
}

function referrersBeside(subscription: Subscription, id: string, holder: string): readonly Reference[] {
  return subscription.resources.referrers(id).filter((each) => !sameId(each.holder, holder));
}
