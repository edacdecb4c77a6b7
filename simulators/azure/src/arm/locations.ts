import type { JsonObject } from "@keelson/base";
import { nonEmptyStringAt } from "../base/json.ts";
import { ArmError, badRequest } from "./arm-error.ts";
import { groupIdOf } from "./arm-path.ts";
import type { ResourceRecord } from "./resource.ts";
import type { ResourceType } from "./resource-type.ts";
import type { Subscription } from "./subscription.ts";

/** Words that occur in location names. If several words match a name, the first match in this list applies. */
const nameParts = [
  ...["australia", "brazil", "canada", "france", "germany", "india", "israel", "italy", "japan", "jio"],
  ...["korea", "mexico", "newzealand", "norway", "poland", "qatar", "southafrica", "spain", "sweden"],
  ...["switzerland", "europe", "asia", "uae", "uk", "us"],
];
const directions = /^(northcentral|southcentral|westcentral|southeast|north|south|east|west|central)/;

/** Returns the display name of a location, for example `East US 2` for `eastus2`. */
export function displayNameOf(location: string): string {
  const words: string[] = [];
  let rest = location;
  while (rest !== "") {
    const start = rest;
    const word = nameParts.find((part) => start.startsWith(part)) ?? directions.exec(start)?.[0] ?? start;
    words.push(word);
    rest = start.slice(word.length);
  }
  return words.map(displayWord).join(" ");
}

const wholeWords: Readonly<Record<string, string>> = {
  us: "US",
  uk: "UK",
  uae: "UAE",
  southafrica: "South Africa",
  newzealand: "New Zealand",
  northcentral: "North Central",
  southcentral: "South Central",
  westcentral: "West Central",
};

function displayWord(word: string): string {
  return wholeWords[word] ?? `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** Returns the short form of a location: `eastus2` for `East US 2`. */
export function normalizeLocation(location: string): string {
  return location.toLowerCase().replaceAll(" ", "");
}

/**
 * Returns `body` with the location in short form. Checks that the location is present if the resource type requires it, and that
 * it has not changed.
 * @throws ArmError
 */
export function withLocation(
  subscription: Subscription,
  target: { readonly type: ResourceType; readonly id: string; readonly name: string },
  existing: ResourceRecord | undefined,
  body: JsonObject,
): JsonObject {
  const kind = target.type.location;
  if (kind === "none") return body;
  const current = nonEmptyStringAt(existing?.body, "location");
  const wanted = nonEmptyStringAt(body, "location") ?? current;
  if (wanted === undefined) {
    throw badRequest("LocationRequired", "The location property is required for this definition.");
  }
  const location = normalizeLocation(wanted);
  const available = kind === "global" ? ["global"] : subscription.locations;
  if (!available.includes(location)) {
    throw badRequest(
      "LocationNotAvailableForResourceType",
      `The provided location '${wanted}' is not available for resource type '${target.type.namespace}/${target.type.type}'. List of available regions for the resource type is '${available.join(",")}'.`,
    );
  }
  if (current !== undefined && current !== location) {
    throw new ArmError(
      409,
      "InvalidResourceLocation",
      `The resource '${target.name}' already exists in location '${current}' in resource group '${groupIdOf(target.id)?.split("/").at(-1)}'. A resource with the same name cannot be created in location '${location}'. Please select a new resource name.`,
    );
  }
  return { ...body, location };
}
