import type { ResourceRecord } from "../arm/resource.ts";
import type { World } from "../arm/world.ts";
import { isAllowed, isLimited, rightsAt } from "../authorization/rights.ts";
import type { Principal } from "../entra/principal.ts";
import { at, members, objectsAt, textAt } from "../json.ts";
import { VaultError } from "./vault-error.ts";

/** What is done, as access policies call it, and as the actions of roles do. */
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
 * A principal with assigned rights only needs, in a vault that is a resource, a role or an access policy for what it does.
 * @throws VaultError 403
 */
export function authorizeVault(
  world: World,
  principal: Principal,
  vaultName: string,
  method: string,
  path: readonly string[],
): void {
  if (!isLimited(world, principal)) return;
  const [vault] = world.resources.lookedUp("Microsoft.KeyVault/vaults", vaultName);
  if (!vault) return;
  const collection = path[0]?.toLowerCase().replace(/^deleted/, "") ?? "";
  const right = rightOf(method, collection, path);
  const byRoles = at(vault.body, "properties", "enableRbacAuthorization") === true;
  const isPermitted = byRoles
    ? isAllowed(
        rightsAt(world, principal, vault.id),
        `Microsoft.KeyVault/vaults/${collection}/${right.action}`,
        "data",
      )
    : hasPolicy(vault, principal, collection, right.verb);
  if (isPermitted) return;
  throw new VaultError(
    403,
    "Forbidden",
    byRoles
      ? `Caller is not authorized to perform action on resource. Action: 'Microsoft.KeyVault/vaults/${collection}/${right.action}', object ID: ${principal.objectId}.`
      : `The user, group or application 'oid=${principal.objectId}' does not have ${collection} ${right.verb} permission on key vault '${vault.name}'.`,
    { innerCode: byRoles ? "ForbiddenByRbac" : "AccessDenied" },
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
      textAt(policy, "objectId")?.toLowerCase() === objectId.toLowerCase() &&
      Array.isArray(permissions) &&
      permissions.some((each) => [verb.toLowerCase(), "all"].includes(String(each).toLowerCase()))
    );
  });
}
