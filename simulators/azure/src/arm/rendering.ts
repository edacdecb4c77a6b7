import type { JsonObject } from "@keelson/base";
import { members, objectsAt, textAt, withProperties } from "../json.ts";
import type { ArmRequest } from "./exchange.ts";
import type { ResourceRecord } from "./resource.ts";
import type { ResourceType } from "./resource-type.ts";
import type { Subscription } from "./subscription.ts";

/** A resource as clients see it. */
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
  return { id, name, type: record.type, ...etagOf(type, record), ...withElements };
}

/** An entry of one of a resource's arrays as clients see it, alone or inside the resource. */
export function renderElement(
  record: ResourceRecord,
  property: string,
  element: JsonObject,
  subscription: Subscription,
): JsonObject {
  const type = subscription.registry.typeOf(record);
  const shown = type.elements?.[property]?.render?.(element, subscription) ?? element;
  return { ...shown, ...etagOf(type, record) };
}

/** The `ETag` header, quoted as the body shows it. */
export function etagHeader(record: ResourceRecord, subscription: Subscription): Record<string, string> {
  const etag = textAt(etagOf(subscription.registry.typeOf(record), record), "etag");
  return etag ? { etag } : {};
}

function etagOf(type: ResourceType, record: ResourceRecord): JsonObject {
  if (type.etag === "none") return {};
  return { etag: type.etag === "weak" ? `W/"${record.etag}"` : record.etag };
}
