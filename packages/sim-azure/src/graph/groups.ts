import { randomUUID } from "node:crypto";
import type { Group } from "../entra/directory.ts";
import { members as membersOf, textAt } from "../json.ts";
import { attributesIn, requiredText } from "./attributes.ts";
import type { EntitySet, Navigation } from "./entity-set.ts";
import { badRequest, notFound } from "./graph-error.ts";
import { memberships } from "./memberships.ts";
import { renderGroup, renderPrincipal } from "./rendering.ts";

const names = ["description", "groupTypes", "mailEnabled", "mailNickname", "securityEnabled", "visibility"];
const handled = ["displayName", "id"];

export const groups: EntitySet<Group> = {
  name: "groups",
  type: "group",
  list: ({ directory }) => directory.groups(),
  find: ({ directory }, id) => directory.findGroup(id),
  render: renderGroup,
  create({ directory, world, clock }, body) {
    const group: Group = {
      objectId: randomUUID(),
      displayName: requiredText(body, "displayName"),
      createdAt: clock.now().toISOString(),
      members: [],
      attributes: attributesIn(body, names, handled),
    };
    world.store.transaction(() => directory.putGroup(group));
    return group;
  },
  update({ directory, world }, existing, body) {
    const group = {
      ...existing,
      displayName: "displayName" in body ? requiredText(body, "displayName") : existing.displayName,
      attributes: attributesIn(body, names, handled, existing.attributes),
    };
    world.store.transaction(() => directory.putGroup(group));
  },
  remove({ directory, world }, { objectId }) {
    world.store.transaction(() => directory.removeGroup(objectId));
  },
  navigations: {
    ...memberships,
    members({ directory, world }, group, { method, body }, rest) {
      const [id = "", reference] = rest.length === 1 ? ["", rest[0]] : rest;
      if (rest.length === 0 && method === "GET") return { entries: entriesOf(directory, group) };
      if (reference !== "$ref") return undefined;
      const isOther = (each: string) => each.toLowerCase() !== id.toLowerCase();
      let { members } = group;
      if (method === "POST" && id === "") members = [...members, newMember(directory, group, body)];
      else if (method === "DELETE" && !members.every(isOther)) members = members.filter(isOther);
      else if (method === "DELETE") throw notFound(id);
      else return undefined;
      world.store.transaction(() => directory.putGroup({ ...group, members }));
      return { done: true };
    },
  },
};

type Directory = Parameters<Navigation<Group>>[0]["directory"];

function entriesOf(directory: Directory, { members }: Group) {
  return members.map((each) => renderPrincipal(directory, each)).filter((each) => each !== undefined);
}

/** The new member stands at the end of a link, `{"@odata.id":"https://.../directoryObjects/{id}"}`. */
function newMember(directory: Directory, group: Group, body: Parameters<typeof textAt>[0]): string {
  const link = textAt(membersOf(body), "@odata.id") ?? "";
  const id = link.slice(link.lastIndexOf("/") + 1);
  const found = directory.findPrincipal(id)?.entry;
  if (!found) throw notFound(id);
  if (group.members.includes(found.objectId)) {
    throw badRequest(
      "One or more added object references already exist for the following modified properties: 'members'.",
    );
  }
  return found.objectId;
}
