import { createHash } from "node:crypto";
import type { TokenUser } from "@keelson/apiserver";
import { listAt, numberAt, stringAt } from "@keelson/base";
import type { ApiContext } from "../api-context.ts";
import { groups, users } from "../users/user-resources.ts";
import { oauthGroup } from "./oauth-resources.ts";

export const accessTokens = { group: oauthGroup, version: "v1", resource: "oauthaccesstokens" };

const prefix = "sha256~";

/** Returns the object name for a bearer token. The name contains a hash of the token, so the name does not reveal the token. */
export function nameOfToken(token: string): string {
  const secret = token.slice(prefix.length);
  return `${prefix}${createHash("sha256").update(secret).digest("base64url")}`;
}

/** Returns the user of an OAuth access token (`sha256~…`). `undefined` for other and expired tokens. */
export async function userOfAccessToken(
  { client, clock }: ApiContext,
  token: string,
): Promise<TokenUser | undefined> {
  if (!token.startsWith(prefix)) return undefined;
  const found = await client.find(accessTokens, { name: nameOfToken(token) });
  const name = stringAt(found, "userName");
  if (!found || !name) return undefined;
  const created = Date.parse(found.metadata.creationTimestamp ?? "");
  const lifeMs = (numberAt(found, "expiresIn") ?? 0) * 1_000;
  if (lifeMs > 0 && created + lifeMs < clock.now().getTime()) return undefined;
  const { items } = await client.list(groups);
  const memberOf = items
    .filter((each) => listAt(each, "users").includes(name))
    .map((each) => each.metadata.name);
  const user = await client.find(users, { name });
  const uid = user?.metadata.uid ?? stringAt(found, "userUID");
  return {
    user: name,
    ...(uid ? { uid } : {}),
    // The initial user `kube:admin` is a cluster administrator, as in OpenShift.
    groups: [
      ...memberOf,
      "system:authenticated:oauth",
      ...(name === "kube:admin" ? ["system:cluster-admins"] : []),
    ],
  };
}
