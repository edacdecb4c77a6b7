import type { AggregatedResource, KubeObject, ResourceCall } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";
import type { ApiContext } from "../api-context.ts";
import { textColumn } from "../columns.ts";
import { failures } from "../failures.ts";
import { changeObject } from "../optimistic-write.ts";

const userGroup = "user.openshift.io";
export const users = { group: userGroup, version: "v1", resource: "users" };
export const groups = { group: userGroup, version: "v1", resource: "groups" };
const identities = { group: userGroup, version: "v1", resource: "identities" };
const mappings = { group: userGroup, resource: "useridentitymappings" };

const kind = (name: string, plural: string) =>
  ({ group: userGroup, version: "v1", kind: name, plural }) as const;
const userKind = kind("User", "users");
const groupKind = kind("Group", "groups");
const identityKind = kind("Identity", "identities");
export const userKinds = [userKind, groupKind, identityKind];

/** Users, Groups and Identities. The user `~` is the caller. */
export function userResources(context: ApiContext): readonly AggregatedResource[] {
  const named = { namespaced: false, pathNames: true } as const;
  return [
    {
      ...userKind,
      ...named,
      columns: [
        textColumn("UID", ".metadata.uid"),
        textColumn("Full Name", ".fullName"),
        textColumn("Identities", ".identities[*]"),
      ],
      specialGet: (call) => (call.name === "~" ? currentUser(context, call) : Promise.resolve(undefined)),
    },
    { ...groupKind, ...named, columns: [textColumn("Users", ".users[*]")] },
    {
      ...identityKind,
      ...named,
      columns: [
        textColumn("IDP Name", ".providerName"),
        textColumn("IDP User Name", ".providerUserName"),
        textColumn("User Name", ".user.name"),
        textColumn("User UID", ".user.uid"),
      ],
    },
    { ...kind("UserIdentityMapping", "useridentitymappings"), ...named, handlers: mappingHandlers(context) },
  ];
}

async function currentUser({ client }: ApiContext, { user }: ResourceCall): Promise<KubeObject> {
  const stored = await client.find(users, { name: user.name });
  const base = stored ?? {
    kind: "User",
    apiVersion: `${userGroup}/v1`,
    metadata: { name: user.name, ...(user.uid ? { uid: user.uid } : {}) },
    identities: null,
  };
  return {
    ...base,
    apiVersion: base.apiVersion,
    kind: base.kind,
    metadata: base.metadata,
    groups: user.groups,
  };
}

/**
 * Handlers of UserIdentityMappings. A mapping is not stored. Each mapping is derived from the references between a User and an
 * Identity.
 */
function mappingHandlers({ client }: ApiContext): NonNullable<AggregatedResource["handlers"]> {
  const find = async (name: string): Promise<KubeObject | undefined> => {
    const identity = await client.find(identities, { name });
    const user = stringAt(identity, "user", "name");
    const owner = user ? await client.find(users, { name: user }) : undefined;
    return identity && owner && listAt(owner, "identities").includes(name)
      ? mappingOf(identity, owner)
      : undefined;
  };
  const detach = async (call: ResourceCall, identity: string, user: string): Promise<void> => {
    if (!(await client.find(users, { name: user }))) return;
    await changeObject(call.client, users, { name: user }, "main", (current) => ({
      ...current,
      identities: listAt(current, "identities").filter((each) => each !== identity),
    }));
  };
  const attach = async (call: ResourceCall, mapping: KubeObject): Promise<KubeObject> => {
    const name = stringAt(mapping, "identity", "name") ?? mapping.metadata.name;
    const userName = stringAt(mapping, "user", "name") ?? "";
    const user = await client.find(users, { name: userName });
    if (!user || !(await client.find(identities, { name }))) {
      const field = user ? "identity.name" : "user.name";
      const missing = user ? `identity "${name}"` : `user "${userName}"`;
      throw failures.invalid("UserIdentityMapping", userGroup, name, field, `Not found: ${missing}`);
    }
    const owner = await changeObject(call.client, users, { name: userName }, "main", (current) => ({
      ...current,
      identities: [...new Set([...listAt(current, "identities"), name])],
    }));
    const { uid } = owner.metadata;
    const identity = await changeObject(call.client, identities, { name }, "main", (current) => ({
      ...current,
      user: { name: userName, uid },
    }));
    return mappingOf(identity, owner);
  };
  return {
    get: async ({ name }) => {
      const found = await find(name);
      if (!found) throw failures.notFound(mappings, name);
      return found;
    },
    create: async (call, mapping) => {
      const name = stringAt(mapping, "identity", "name") ?? mapping.metadata.name;
      if (await find(name)) throw failures.alreadyExists(mappings, name);
      return attach(call, mapping);
    },
    update: async (call, mapping) => {
      const { name } = call;
      const before = await find(name);
      if (!before) throw failures.notFound(mappings, name);
      const was = stringAt(before, "user", "name");
      if (was && was !== stringAt(mapping, "user", "name")) await detach(call, name, was);
      return attach(call, { ...mapping, identity: { name } });
    },
    delete: async (call) => {
      const { name } = call;
      const before = await find(name);
      if (!before) throw failures.notFound(mappings, name);
      await detach(call, name, stringAt(before, "user", "name") ?? "");
      await changeObject(call.client, identities, { name }, "main", (current) => ({ ...current, user: {} }));
      return undefined;
    },
  };
}

function mappingOf(identity: KubeObject, user: KubeObject): KubeObject {
  const { name, uid, resourceVersion } = identity.metadata;
  return {
    kind: "UserIdentityMapping",
    apiVersion: `${userGroup}/v1`,
    metadata: { name, ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) },
    identity: { name, uid },
    user: { name: user.metadata.name, uid: objectAt(user, "metadata").uid },
  };
}
