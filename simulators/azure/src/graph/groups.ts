import type { Group } from "../entra/directory.ts";
import type { EntraDeps } from "../entra/entra-deps.ts";
import { attributesIn, requiredText } from "./attributes.ts";
import type { EntitySet } from "./entity-set.ts";
import { linksOf } from "./links.ts";
import { memberships } from "./memberships.ts";
import { renderGroup } from "./rendering.ts";

const names = ["description", "groupTypes", "mailEnabled", "mailNickname", "securityEnabled", "visibility"];
const handled = ["displayName", "id"];

const put = ({ directory }: EntraDeps, group: Group) => directory.putGroup(group);

export const groups: EntitySet<Group> = {
  name: "groups",
  type: "group",
  list: ({ directory }) => directory.groups(),
  find: ({ directory }, id) => directory.findGroup(id),
  render: renderGroup,
  create({ directory, subscription, clock }, body) {
    const displayName = requiredText(body, "displayName");
    const group: Group = {
      objectId: subscription.newIds.next(displayName, "group"),
      displayName,
      createdAt: clock.now().toISOString(),
      members: [],
      attributes: attributesIn(body, names, handled),
    };
    subscription.store.transaction(() => directory.putGroup(group));
    return group;
  },
  update({ directory, subscription }, existing, body) {
    const group = {
      ...existing,
      displayName: "displayName" in body ? requiredText(body, "displayName") : existing.displayName,
      attributes: attributesIn(body, names, handled, existing.attributes),
    };
    subscription.store.transaction(() => directory.putGroup(group));
  },
  remove({ directory, subscription }, { objectId }) {
    subscription.store.transaction(() => directory.removeGroup(objectId));
  },
  navigations: {
    ...memberships,
    members: linksOf("members", put),
    owners: linksOf("owners", put),
  },
};
