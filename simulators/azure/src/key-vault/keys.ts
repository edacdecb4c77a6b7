import { createPrivateKey, createPublicKey } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import { asJson, at, members } from "../base/json.ts";
import { generateKey, importKey } from "./key-material.ts";
import { cryptographicOperation, isCryptographic } from "./key-operations.ts";
import { type Collection, commonResponse, idOf, shapeOf, shownAttributes } from "./object-routes.ts";
import type { Vault } from "./vault.ts";
import { badParameter, VaultError } from "./vault-error.ts";
import type { VaultRequest } from "./vault-request.ts";
import type { KeyContent, VaultVersion } from "./vault-row.ts";
import { readChange, requireBody } from "./version-request.ts";

/** Default operations of a new key. */
const allOperations = ["encrypt", "decrypt", "sign", "verify", "wrapKey", "unwrapKey"];

/** Handles all requests below `/keys` and `/deletedkeys`. @throws VaultError */
export async function serveKeys(
  vault: Vault,
  path: readonly string[],
  request: VaultRequest,
): Promise<ArmResponse | undefined> {
  const keys = collectionOf(vault, request);
  const [directory, name = ""] = path;
  const operation = path.at(-1) ?? "";
  const shape = shapeOf(path, ["create", "rotate", "versions", "recover"]);
  if (directory?.toLowerCase() === "keys") {
    switch (`${request.method} ${shape}`) {
      case "POST name/create":
        vault.keys.checkName(name);
        return add(vault, keys, name, await generateKey(requireBody(request.body)), request);
      case "POST name/rotate": {
        const { kty, keyOps } = vault.keys.versionOf(vault.keys.get(name));
        const made = await generateKey({ kty, key_ops: keyOps });
        return add(vault, keys, name, made, { ...request, body: {} });
      }
      case "PUT name":
        return add(vault, keys, name, importKey(members(at(request.body, "key"))), request);
    }
    // Cryptographic operations use the version in the path. Default: the newest version.
    if (request.method === "POST" && path.length > 2 && isCryptographic(operation)) {
      const row = vault.keys.get(name);
      const key = usable(vault.keys.versionOf(row, path.length > 3 ? path[2] : undefined), operation);
      const kid = idOf(request, "keys", row.name, key.id);
      return ok({ kid, ...cryptographicOperation(operation, key.privateKeyPem, requireBody(request.body)) });
    }
  }
  return commonResponse(keys, path, request);
}

function add(
  vault: Vault,
  keys: Collection<KeyContent>,
  name: string,
  made: { readonly kty: string; readonly privateKeyPem: string; readonly keyOps?: readonly string[] },
  { body }: VaultRequest,
): ArmResponse {
  const content: KeyContent = { ...made, keyOps: made.keyOps ?? allOperations };
  const version = vault.keys.add(name, content, readChange(body));
  return ok(keys.bundle(vault.keys.get(name), version));
}

function collectionOf({ keys }: Vault, request: VaultRequest): Collection<KeyContent> {
  return {
    name: "keys",
    objects: keys,
    item: (kid, version) => ({
      kid,
      attributes: shownAttributes(version),
      ...(version.tags === undefined ? {} : { tags: version.tags }),
      ...(version.managed ? { managed: true } : {}),
    }),
    bundle: (row, version) => ({
      key: { kid: idOf(request, "keys", row.name, version.id), ...publicKey(version) },
      attributes: shownAttributes(version),
      ...(version.tags === undefined ? {} : { tags: version.tags }),
      ...(version.managed ? { managed: true } : {}),
    }),
    contentChange: (body) => operationsIn(members(body)),
  };
}

function publicKey({ kty, keyOps, privateKeyPem }: KeyContent): JsonObject {
  const jwk = createPublicKey(createPrivateKey(privateKeyPem)).export({ format: "jwk" });
  return { ...members(asJson(jwk)), kty, key_ops: keyOps };
}

function operationsIn(body: JsonObject): Pick<KeyContent, "keyOps"> | Record<string, never> {
  const operations = body.key_ops;
  if (operations === undefined || operations === null) return {};
  if (Array.isArray(operations) && operations.every((each) => typeof each === "string")) {
    return { keyOps: operations };
  }
  throw badParameter("Property key_ops is invalid: it is not a list of operations.");
}

function usable(version: VaultVersion<KeyContent>, operation: string): VaultVersion<KeyContent> {
  const isAllowed = version.keyOps.some((each) => each.toLowerCase() === operation.toLowerCase());
  if (version.attributes.enabled && isAllowed) return version;
  throw new VaultError(
    403,
    "Forbidden",
    `Operation ${operation} is not permitted on this key.`,
    version.attributes.enabled ? {} : { innerCode: "KeyDisabled" },
  );
}
