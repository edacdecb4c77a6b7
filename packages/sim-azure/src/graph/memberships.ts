import type { EntityRow, Navigation } from "./entity-set.ts";
import { renderGroup, typed } from "./rendering.ts";

/** The groups of an entry, as objects. */
const memberOf: Navigation<EntityRow> = ({ directory }, { objectId }, { method }, rest) =>
  method === "GET" && rest.length === 0
    ? { entries: directory.groupsOf(objectId).map((each) => typed("group", renderGroup(each))) }
    : undefined;

const memberIds: Navigation<EntityRow> = ({ directory }, { objectId }, { method }, rest) =>
  method === "POST" && rest.length === 0
    ? { body: { value: directory.groupsOf(objectId).map((each) => each.objectId) } }
    : undefined;

/** In which groups an entry is, by the names that clients ask with. */
export const memberships = {
  memberof: memberOf,
  transitivememberof: memberOf,
  getmembergroups: memberIds,
  getmemberobjects: memberIds,
};
