import { type ArmResponse, ok } from "../arm/exchange.ts";
import { at, nonEmptyStringAt } from "../base/json.ts";
import { type Collection, commonResponse, idOf, shapeOf, shownAttributes } from "./object-routes.ts";
import { readValue } from "./secret-request.ts";
import type { Vault } from "./vault.ts";
import { VaultError } from "./vault-error.ts";
import type { VaultRequest } from "./vault-request.ts";
import type { SecretContent } from "./vault-row.ts";
import { readChange } from "./version-request.ts";

/** Handles all requests below `/secrets` and `/deletedsecrets`. @throws VaultError */
export function serveSecrets(
  vault: Vault,
  path: readonly string[],
  request: VaultRequest,
): ArmResponse | undefined {
  const secrets = collectionOf(vault, request);
  const [directory, name = ""] = path;
  const isWrite = request.method === "PUT" && directory?.toLowerCase() === "secrets";
  if (!isWrite || shapeOf(path, []) !== "name") {
    if (request.method === "DELETE") checkNotManaged(vault, name);
    return commonResponse(secrets, path, request);
  }
  const contentType = nonEmptyStringAt(request.body, "contentType");
  const content = { value: readValue(request.body), ...(contentType === undefined ? {} : { contentType }) };
  const version = vault.secrets.add(name, content, readChange(request.body));
  return ok(secrets.bundle(vault.secrets.get(name), version));
}

function collectionOf({ secrets }: Vault, request: VaultRequest): Collection<SecretContent> {
  const item: Collection<SecretContent>["item"] = (id, version) => ({
    id,
    attributes: shownAttributes(version),
    ...(version.contentType === undefined ? {} : { contentType: version.contentType }),
    ...(version.tags === undefined ? {} : { tags: version.tags }),
    ...(version.kid === undefined ? {} : { kid: version.kid, managed: true }),
  });
  return {
    name: "secrets",
    objects: secrets,
    item,
    bundle(row, version) {
      if (version.attributes.enabled) {
        return { value: version.value, ...item(idOf(request, "secrets", row.name, version.id), version) };
      }
      throw new VaultError(403, "Forbidden", "Operation get is not allowed on a disabled secret.", {
        innerCode: "SecretDisabled",
      });
    },
    contentChange(body) {
      const contentType = at(body, "contentType");
      return typeof contentType === "string" ? { contentType } : {};
    },
  };
}

/** Rejects writes to a secret that belongs to a certificate. */
function checkNotManaged({ secrets, certificates }: Vault, name: string): void {
  if (!secrets.find(name)?.versions.at(-1)?.kid || !certificates.find(name)) return;
  throw new VaultError(
    403,
    "Forbidden",
    `The secret ${name} belongs to the certificate with the same name. Delete the certificate instead.`,
  );
}
