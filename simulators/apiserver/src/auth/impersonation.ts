import type { IncomingMessage } from "node:http";
import { failures } from "@keelson/apimachinery";
import type { ResourceAttributes } from "./attributes.ts";
import type { RbacAuthorizer } from "./rbac.ts";
import { requireAllowed } from "./require-allowed.ts";
import {
  allAuthenticated,
  allUnauthenticated,
  anonymous,
  parseServiceAccountName,
  serviceAccountGroups,
  type User,
} from "./user.ts";

const prefix = "impersonate-";
const extraPrefix = "impersonate-extra-";
const group = "authentication.k8s.io";

/**
 * Returns the user of the request's `Impersonate-` headers. The authenticated `user` needs permission to impersonate each name,
 * group and extra value.
 * @throws StatusError 400 for groups or extra values without a user, 403
 */
export async function actingUser(
  authorizer: RbacAuthorizer,
  user: User,
  request: IncomingMessage,
): Promise<User> {
  if (!impersonates(request.headers)) return user;
  const headers = request.headersDistinct;
  const [name] = headers["impersonate-user"] ?? [];
  const [uid] = headers["impersonate-uid"] ?? [];
  const groups = headers["impersonate-group"] ?? [];
  const extra = extraOf(headers);
  if (!name) {
    if (!uid && groups.length === 0 && extra.size === 0) return user;
    // kube-apiserver prints the object references in Go's default format.
    const version = `${group}/v1`;
    const references = [
      ...groups.map((each) => `{Group  ${each}    }`),
      ...[...extra].flatMap(([key, values]) =>
        values.map((each) => `{UserExtra  ${each}  ${version}  ${key}}`),
      ),
      ...(uid ? [`{UID  ${uid}  ${version}  }`] : []),
    ];
    throw failures.badRequest(`requested [${references.join(" ")}] without impersonating a user`);
  }
  const account = parseServiceAccountName(name);
  const wanted = [
    account
      ? attributes("", "serviceaccounts", account.name, account.namespace)
      : attributes("", "users", name),
    ...groups.map((each) => attributes("", "groups", each)),
    ...[...extra].flatMap(([key, values]) =>
      values.map((value) => attributes(group, `userextras/${key}`, value)),
    ),
    ...(uid ? [attributes(group, "uids", uid)] : []),
  ];
  for (const each of wanted) await requireAllowed(authorizer, user, each);
  const own = groups.length === 0 && account ? serviceAccountGroups(account.namespace) : groups;
  return {
    name,
    groups: withEveryone(name, own),
    ...(uid ? { uid } : {}),
    ...(extra.size > 0 ? { extra: Object.fromEntries(extra) } : {}),
  };
}

function impersonates(headers: IncomingMessage["headers"]): boolean {
  for (const name in headers) if (name.startsWith(prefix)) return true;
  return false;
}

function attributes(apiGroup: string, resource: string, name: string, namespace = ""): ResourceAttributes {
  return { kind: "resource", verb: "impersonate", group: apiGroup, resource, namespace, name };
}

function extraOf(headers: IncomingMessage["headersDistinct"]): ReadonlyMap<string, readonly string[]> {
  const found = Object.entries(headers).filter(([name]) => name.startsWith(extraPrefix));
  return new Map(found.map(([name, values]) => [unescaped(name.slice(extraPrefix.length)), values ?? []]));
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** Adds the group `system:authenticated` or `system:unauthenticated`, unless `groups` already contains one of them. */
function withEveryone(name: string, groups: readonly string[]): readonly string[] {
  if (name === anonymous.name) {
    return groups.includes(allUnauthenticated) ? groups : [...groups, allUnauthenticated];
  }
  const said = groups.includes(allAuthenticated) || groups.includes(allUnauthenticated);
  return said ? groups : [...groups, allAuthenticated];
}
