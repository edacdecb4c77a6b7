import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { JsonObject } from "@keelson/base";
import { nonEmptyStringAt } from "../base/json.ts";
import { badParameter } from "./vault-error.ts";
import type { KeyContent } from "./vault-row.ts";

const generate = promisify(generateKeyPair);
const curves: readonly string[] = ["P-256", "P-384", "P-521"];
const sizes: readonly number[] = [2_048, 3_072, 4_096];

type Made = Pick<KeyContent, "kty" | "privateKeyPem"> & { readonly keyOps?: readonly string[] };

/**
 * Generates a key with the parameters `kty`, `key_size`, `crv` and `key_ops` of a request or certificate policy.
 * @throws VaultError
 */
export async function generateKey(wanted: JsonObject): Promise<Made> {
  const kty = nonEmptyStringAt(wanted, "kty") ?? "RSA";
  const operations = operationsOf(wanted);
  if (/^RSA(-HSM)?$/.test(kty)) {
    const size = wanted.key_size ?? 2_048;
    if (typeof size !== "number" || !sizes.includes(size))
      throw badParameter(`The key size '${String(size)}' is invalid.`);
    const { privateKey } = await generate("rsa", { modulusLength: size });
    return { kty, privateKeyPem: pemOf(privateKey), ...operations };
  }
  if (/^EC(-HSM)?$/.test(kty)) {
    const namedCurve = nonEmptyStringAt(wanted, "crv") ?? "P-256";
    if (!curves.includes(namedCurve)) throw badParameter(`The curve '${namedCurve}' is invalid.`);
    const { privateKey } = await generate("ec", { namedCurve });
    return { kty, privateKeyPem: pemOf(privateKey), ...operations };
  }
  throw badParameter(`Property kty has the value '${kty}', which is not one of RSA, RSA-HSM, EC, EC-HSM.`);
}

/** Imports a JSON Web Key that includes the private key. @throws VaultError */
export function importKey(jwk: JsonObject): Made {
  const { key_ops: _, kid: __, key_hsm: ___, ...key } = jwk;
  const kty = nonEmptyStringAt(key, "kty") ?? "";
  try {
    const object = createPrivateKey({ key: { ...key, kty: kty.replace("-HSM", "") }, format: "jwk" });
    return { kty, privateKeyPem: pemOf(object), ...operationsOf(jwk) };
  } catch {
    throw badParameter("The key is not a private key of type RSA or EC.");
  }
}

function operationsOf({ key_ops: operations }: JsonObject): { keyOps?: readonly string[] } {
  if (!Array.isArray(operations) || operations.length === 0) return {};
  return { keyOps: operations.filter((each) => typeof each === "string") };
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
