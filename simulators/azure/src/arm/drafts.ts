import type { JsonObject, JsonValue } from "@keelson/base";
import { isJsonObject, members, nonEmptyStringAt, objectsAt, without, withProperties } from "../base/json.ts";
import { badRequest } from "./arm-error.ts";
import type { ElementType, ResourceType } from "./resource-type.ts";

const serverMembers = ["id", "name", "type", "etag", "systemData"];

/** Returns the JSON object in a request body. @throws ArmError 400 */
export function requireObject(body: JsonValue | undefined): JsonObject {
  if (isJsonObject(body)) return body;
  throw badRequest("InvalidRequestContent", "The request content was invalid: a JSON object was expected.");
}

/**
 * Returns the client's body without properties that only the service may set. Adds an ID to each array element. The name of an
 * existing element remains in its stored letter case.
 */
export function normalizeBody(
  type: ResourceType,
  id: string,
  body: JsonObject,
  before: JsonObject | undefined,
): JsonObject {
  for (const member of ["properties", "tags"]) {
    const value = body[member];
    if (value !== undefined && value !== null && !isJsonObject(value)) {
      throw badRequest(
        "InvalidRequestContent",
        `The request content was invalid: '${member}' must be an object.`,
      );
    }
  }
  checkTags(body.tags);
  const properties = without(members(body.properties), ["provisioningState", ...(type.readOnly ?? [])]);
  const elements = Object.entries(type.elements ?? {}).flatMap(([property, element]) =>
    properties[property] === undefined || properties[property] === null
      ? []
      : [
          [
            property,
            normalizeElements(
              type,
              id,
              property,
              element,
              properties[property],
              objectsAt(before, "properties", property),
            ),
          ],
        ],
  );
  return withProperties(
    {
      ...without(body, [...serverMembers, "properties", ...(body.tags === null ? ["tags"] : [])]),
      properties,
    },
    Object.fromEntries(elements),
  );
}

function normalizeElements(
  type: ResourceType,
  id: string,
  property: string,
  element: ElementType,
  value: JsonValue,
  before: readonly JsonObject[],
): readonly JsonObject[] {
  if (!Array.isArray(value)) {
    throw badRequest(
      "InvalidRequestFormat",
      `Cannot parse the request: 'properties.${property}' must be an array.`,
    );
  }
  const names = new Set<string>();
  return value.map((each: JsonValue) => {
    const name = nonEmptyStringAt(each, "name");
    if (!isJsonObject(each) || name === undefined || !elementName.test(name)) {
      throw badRequest(
        "InvalidRequestFormat",
        `Cannot parse the request: each of 'properties.${property}' needs a valid 'name'.`,
      );
    }
    if (names.has(name.toLowerCase())) {
      throw badRequest("InvalidRequestContent", `'properties.${property}' has the name '${name}' twice.`);
    }
    names.add(name.toLowerCase());
    const known = before.find(
      (other) => nonEmptyStringAt(other, "name")?.toLowerCase() === name.toLowerCase(),
    );
    return normalizeElement(type, id, property, element, nonEmptyStringAt(known, "name") ?? name, each);
  });
}

export const elementName = /^[A-Za-z0-9_][\w.-]{0,79}$/;

export function normalizeElement(
  type: ResourceType,
  holderId: string,
  property: string,
  element: ElementType,
  name: string,
  body: JsonObject,
): JsonObject {
  const properties = without(members(body.properties), ["provisioningState", ...(element.readOnly ?? [])]);
  return {
    ...without(body, [...serverMembers, "properties"]),
    id: `${holderId}/${property}/${name}`,
    name,
    type: `${type.namespace}/${type.type}/${property}`,
    properties: { ...properties, provisioningState: "Succeeded" },
  };
}

/** Returns `body` with `element` added to the array `property`. An existing element with the same name is replaced. */
export function withElement(body: JsonObject, property: string, element: JsonObject): JsonObject {
  const name = nonEmptyStringAt(element, "name")?.toLowerCase();
  const others = objectsAt(body, "properties", property);
  const index = others.findIndex((each) => nonEmptyStringAt(each, "name")?.toLowerCase() === name);
  return withProperties(body, {
    [property]: index < 0 ? [...others, element] : others.with(index, element),
  });
}

export function withoutElement(body: JsonObject, property: string, name: string): JsonObject {
  const others = objectsAt(body, "properties", property);
  return withProperties(body, {
    [property]: others.filter((each) => nonEmptyStringAt(each, "name")?.toLowerCase() !== name.toLowerCase()),
  });
}

/** Validates the tags of a resource. @throws ArmError 400 */
export function checkTags(tags: JsonValue | undefined): void {
  const entries = Object.entries(members(tags));
  if (entries.length > 50) throw badRequest("InvalidTags", "A resource has at most 50 tags.");
  for (const [name, value] of entries) {
    if (typeof value !== "string" || name.length > 512 || value.length > 256) {
      throw badRequest("InvalidTagNameOrValue", `The tag '${name}' or its value is invalid or too long.`);
    }
  }
}
