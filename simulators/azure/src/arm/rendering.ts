import type { JsonObject } from "@keelson/base";
import { members, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import type { ArmRequest } from "./exchange.ts";
import type { ResourceRecord } from "./resource.ts";
import type { FieldOrder, ResourceType } from "./resource-type.ts";
import type { Subscription } from "./subscription.ts";

/** Renders a resource as clients receive it. */
export function renderResource(
  record: ResourceRecord,
  subscription: Subscription,
  request?: ArmRequest,
): JsonObject {
  const type = subscription.registry.typeOf(record);
  const rendered = type.render?.(record, subscription, request) ?? record.body;
  const hasFailed = subscription.settings.current.failed[record.id.toLowerCase()];
  const body = hasFailed ? withProperties(rendered, { provisioningState: "Failed" }) : rendered;
  const properties = { ...members(body.properties) };
  const elements = Object.entries(type.elements ?? {}).flatMap(([property]) =>
    properties[property] === undefined
      ? []
      : [
          [
            property,
            objectsAt(body, "properties", property).map((each) =>
              renderElement(record, property, each, subscription),
            ),
          ],
        ],
  );
  const withElements = withProperties(body, Object.fromEntries(elements));
  const { id, name } = record;
  const shown = { id, name, type: record.type, ...etagOf(type, record), ...withElements };
  return type.order ? inOrder(shown, type.order) : shown;
}

/** Renders an array element of a resource, either separately or as part of the resource. */
export function renderElement(
  record: ResourceRecord,
  property: string,
  element: JsonObject,
  subscription: Subscription,
): JsonObject {
  const type = subscription.registry.typeOf(record);
  const { render, order } = type.elements?.[property] ?? {};
  const shown = { ...(render?.(element, subscription) ?? element), ...etagOf(type, record) };
  return order ? inOrder(shown, order) : shown;
}

function inOrder(shown: JsonObject, { top, properties }: FieldOrder): JsonObject {
  const ordered = first(shown, top);
  return properties ? { ...ordered, properties: first(members(ordered.properties), properties) } : ordered;
}

/** Returns `object` with the fields in `names` first. */
function first(object: JsonObject, names: readonly string[]): JsonObject {
  const picked = names.flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]]));
  return { ...Object.fromEntries(picked), ...object };
}

/** Returns the `ETag` header of a resource, quoted as in the body. */
export function etagHeader(record: ResourceRecord, subscription: Subscription): Record<string, string> {
  return subscription.registry.typeOf(record).etagHeader === false
    ? {}
    : elementEtagHeader(record, subscription);
}

/** Returns the `ETag` header of an array element. Its value is the etag of the resource that contains the element. */
export function elementEtagHeader(
  record: ResourceRecord,
  subscription: Subscription,
): Record<string, string> {
  const etag = nonEmptyStringAt(etagOf(subscription.registry.typeOf(record), record), "etag");
  return etag ? { etag } : {};
}

function etagOf(type: ResourceType, record: ResourceRecord): JsonObject {
  if (type.etag === undefined) return {};
  return { etag: type.etag === "weak" ? `W/"${record.etag}"` : record.etag };
}
