import type { Principal } from "../arm/principal.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { isAllowed, isLimited, rightsAt } from "../authorization/rights.ts";
import { at, members, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { VaultError } from "./vault-error.ts";

/**
 * Right that a request requires: `verb` is the permission if access policies apply, and `action` is the action if roles apply.
 */
interface Right {
  readonly verb: string;
  readonly action: string;
}

const wordRights: Readonly<Record<string, Right>> = {
  create: { verb: "create", action: "create/action" },
  import: { verb: "import", action: "import/action" },
  rotate: { verb: "rotate", action: "rotate/action" },
  recover: { verb: "recover", action: "recover/action" },
  encrypt: { verb: "encrypt", action: "encrypt/action" },
  decrypt: { verb: "decrypt", action: "decrypt/action" },
  wrapkey: { verb: "wrapKey", action: "wrap/action" },
  unwrapkey: { verb: "unwrapKey", action: "unwrap/action" },
  merge: { verb: "create", action: "create/action" },
};

/**
 * Authorizes a request. The vault's configuration determines if roles or access policies apply. If the vault does not exist as an
 * ARM resource, roles at subscription scope apply.
 * @throws VaultError 403
 */
export function authorizeVault(
  subscription: Subscription,
  principal: Principal,
  vaultName: string,
  method: string,
  path: readonly string[],
): void {
  if (!isLimited(subscription, principal)) return;
  const [vault] = subscription.resources.lookedUp("Microsoft.KeyVault/vaults", vaultName);
  const collection = path[0]?.toLowerCase().replace(/^deleted/, "") ?? "";
  const right = rightOf(method, collection, path);
  const byPolicies = vault && at(vault.body, "properties", "enableRbacAuthorization") !== true;
  const action = `Microsoft.KeyVault/vaults/${collection}/${right.action}`;
  const scope = vault?.id ?? `/subscriptions/${subscription.subscriptionId}`;
  const isPermitted = byPolicies
    ? hasPolicy(vault, principal, collection, right.verb)
    : isAllowed(rightsAt(subscription, principal, scope), action, "data");
  if (isPermitted) return;
  throw new VaultError(
    403,
    "Forbidden",
    byPolicies
      ? `The user, group or application 'oid=${principal.objectId}' does not have ${collection} ${right.verb} permission on key vault '${vault.name}'.`
      : `Caller is not authorized to perform action on resource. Action: '${action}', object ID: ${principal.objectId}.`,
    { innerCode: byPolicies ? "AccessDenied" : "ForbiddenByRbac" },
  );
}

function rightOf(method: string, collection: string, path: readonly string[]): Right {
  const isDeleted = path[0]?.toLowerCase().startsWith("deleted") === true;
  const word = wordRights[path.at(-1)?.toLowerCase() ?? ""];
  if (method === "POST" && word) return word;
  const isSecret = collection === "secrets";
  switch (method) {
    case "GET":
      if (path.length === 1 || path[2]?.toLowerCase() === "versions") {
        return { verb: "list", action: isSecret ? "readMetadata/action" : "read" };
      }
      return {
        verb: "get",
        action: isSecret && !isDeleted ? "getSecret/action" : isSecret ? "readMetadata/action" : "read",
      };
    case "PUT":
      return isSecret
        ? { verb: "set", action: "setSecret/action" }
        : { verb: "import", action: "import/action" };
    case "DELETE":
      return isDeleted ? { verb: "purge", action: "purge/action" } : { verb: "delete", action: "delete" };
    default:
      return isSecret
        ? { verb: "set", action: "update/action" }
        : { verb: "update", action: "update/action" };
  }
}

function hasPolicy(
  { body }: ResourceRecord,
  { objectId }: Principal,
  collection: string,
  verb: string,
): boolean {
  return objectsAt(body, "properties", "accessPolicies").some((policy) => {
    const permissions = members(policy.permissions)[collection];
    return (
      nonEmptyStringAt(policy, "objectId")?.toLowerCase() === objectId.toLowerCase() &&
      Array.isArray(permissions) &&
      permissions.some((each) => [verb.toLowerCase(), "all"].includes(String(each).toLowerCase()))
    );
  });
}
