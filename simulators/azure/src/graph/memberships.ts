import { at } from "../base/json.ts";
import type { EntityRow, Navigation } from "./entity-set.ts";
import { badRequest } from "./graph-error.ts";
import { renderGroup, typed } from "./rendering.ts";

/** Returns the groups that contain an entry. */
const memberOf: Navigation<EntityRow> = ({ directory }, { objectId }, { method }, rest) =>
  method === "GET" && rest.length === 0
    ? { entries: directory.groupsOf(objectId).map((each) => typed("group", renderGroup(each))) }
    : undefined;

const memberIds: Navigation<EntityRow> = ({ directory }, { objectId }, { method }, rest) =>
  method === "POST" && rest.length === 0
    ? { body: { value: directory.groupsOf(objectId).map((each) => each.objectId) } }
    : undefined;

/** Returns the IDs of the requested groups that contain the entry. */
const amongGroups: Navigation<EntityRow> = ({ directory }, { objectId }, { method, body }, rest) => {
  if (method !== "POST" || rest.length > 0) return undefined;
  const asked = at(body, "groupIds");
  if (!Array.isArray(asked)) throw badRequest("The property 'groupIds' must be an array of strings.");
  const wanted = new Set(asked.map((each) => String(each).toLowerCase()));
  const found = directory.groupsOf(objectId).filter((each) => wanted.has(each.objectId.toLowerCase()));
  return { body: { value: found.map((each) => each.objectId) } };
};

/** Navigation properties and actions for group memberships. */
export const memberships = {
  memberof: memberOf,
  transitivememberof: memberOf,
  checkmembergroups: amongGroups,
  getmembergroups: memberIds,
  getmemberobjects: memberIds,
};
