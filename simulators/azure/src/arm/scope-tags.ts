import { randomUUID } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import { at, isJsonObject, members, nonEmptyStringAt, without } from "../base/json.ts";
import type { Table } from "../store/store.ts";
import { badRequest } from "./arm-error.ts";
import { keyOf, parseProviderPath } from "./arm-path.ts";
import { checkTags, requireObject } from "./drafts.ts";
import { type ArmRequest, type ArmResponse, ok } from "./exchange.ts";
import { methodNotAllowed, resourceNotFound } from "./refusals.ts";
import { beingDeleted, requireGroup } from "./resource-groups.ts";
import { type Subscription, timestamp } from "./subscription.ts";

/** Owner of tags: a subscription, a resource group or a resource. */
interface Tagged {
  readonly id: string;
  readonly tags: JsonObject;
  write(tags: JsonObject): void;
}

/** True for the path `{scope}/providers/Microsoft.Resources/tags/default`. */
export function isScopeTags(segments: readonly string[]): boolean {
  return keyOf(`/${segments.join("/")}`).endsWith("/providers/microsoft.resources/tags/default");
}

/** Reads, replaces, merges or removes the tags of a scope. @throws ArmError */
export function scopeTags(subscription: Subscription, request: ArmRequest): ArmResponse {
  const { id, tags, write } = find(subscription, `/${scopeSegments(request).join("/")}`);
  const after = tagsAfter(request, tags);
  if (after) write(after);
  return tagsResponse(request, id, after ?? tags);
}

/** Returns the path segments of the tagged scope. */
export function scopeSegments({ segments }: ArmRequest): readonly string[] {
  return segments.slice(0, -4);
}

/** Returns the tags after a request. Returns `undefined` for a read. @throws ArmError */
export function tagsAfter(request: ArmRequest, before: JsonObject): JsonObject | undefined {
  switch (request.method) {
    case "GET":
    case "HEAD":
      return undefined;
    case "PUT":
      return checked(tagsIn(request));
    case "PATCH":
      return checked(changed(before, tagsIn(request), nonEmptyStringAt(request.body, "operation")));
    case "DELETE":
      return {};
    default:
      throw methodNotAllowed(request);
  }
}

export function tagsResponse({ method }: ArmRequest, id: string, tags: JsonObject): ArmResponse {
  if (method === "DELETE") return { status: 200 };
  const type = "Microsoft.Resources/tags";
  return ok({ id: `${id}/providers/${type}/default`, name: "default", type, properties: { tags } });
}

/** Returns the tags after an update with `given` tags. Tag names are case-insensitive. */
function changed(before: JsonObject, given: JsonObject, operation: string | undefined): JsonObject {
  const names = Object.keys(given).map(keyOf);
  const others = without(
    before,
    Object.keys(before).filter((each) => names.includes(keyOf(each))),
  );
  switch (operation?.toLowerCase()) {
    case "replace":
      return given;
    case "merge":
      return { ...others, ...given };
    case "delete":
      return others;
    default:
      throw badRequest(
        "InvalidTagPatchOperation",
        `The operation '${operation ?? ""}' is not one of 'Merge', 'Replace' and 'Delete'.`,
      );
  }
}

function checked(tags: JsonObject): JsonObject {
  checkTags(tags);
  return tags;
}

function tagsIn({ body }: ArmRequest): JsonObject {
  const tags = at(requireObject(body), "properties", "tags");
  if (isJsonObject(tags)) return tags;
  throw badRequest("InvalidRequestContent", "The request content was invalid: 'properties.tags' is missing.");
}

function find(subscription: Subscription, scope: string): Tagged {
  const [, , , kind, group = ""] = scope.split("/");
  if (kind === undefined) return ofSubscription(subscription);
  if (parseProviderPath(scope.split("/").slice(1))) return ofResource(subscription, scope);
  const found = requireGroup(subscription, group);
  return {
    id: found.id,
    tags: members(found.tags),
    write(tags) {
      if (found.state === "Deleting") throw beingDeleted(found);
      subscription.groups.set(keyOf(found.name), { ...found, tags });
    },
  };
}

function ofResource(subscription: Subscription, scope: string): Tagged {
  const record = subscription.resources.find(scope);
  if (!record || nonEmptyStringAt(record.body, "location") === undefined) {
    const [, , , , group = "", , ...named] = scope.split("/");
    throw resourceNotFound(named.join("/"), group);
  }
  return {
    id: record.id,
    tags: members(record.body.tags),
    write: (tags) =>
      subscription.resources.put({
        ...record,
        etag: randomUUID(),
        changedAt: timestamp(subscription),
        body: { ...record.body, tags },
      }),
  };
}

function ofSubscription(subscription: Subscription): Tagged {
  const table = subscriptionTable(subscription);
  const id = `/subscriptions/${subscription.subscriptionId}`;
  return { id, tags: subscriptionTags(subscription) ?? {}, write: (tags) => table.set(id, tags) };
}

/** Returns the tags of the subscription. Returns `undefined` if the subscription never had tags. */
export function subscriptionTags(subscription: Subscription): JsonObject | undefined {
  return subscriptionTable(subscription).get(`/subscriptions/${subscription.subscriptionId}`);
}

function subscriptionTable(subscription: Subscription): Table<JsonObject> {
  return subscription.store.table<JsonObject>("subscriptionTags");
}
