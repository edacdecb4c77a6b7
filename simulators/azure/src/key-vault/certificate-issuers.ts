import { type JsonObject, mergePatch } from "@keelson/base";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import { members, nonEmptyStringAt } from "../base/json.ts";
import type { Table } from "../store/store.ts";
import { idOf, page } from "./object-routes.ts";
import type { Vault } from "./vault.ts";
import { badParameter, VaultError } from "./vault-error.ts";
import type { VaultRequest } from "./vault-request.ts";
import { requireBody } from "./version-request.ts";

/** Issuers that clients can use without registering them. */
const builtIn = ["Self", "Unknown", "OneCertV2-PublicCA", "OneCertV2-PrivateCA"];

interface IssuerRow {
  readonly name: string;
  readonly body: JsonObject;
}

export function issuerExists(vault: Vault, name: string): boolean {
  return builtIn.includes(name) || issuersOf(vault).get(keyOf(vault, name)) !== undefined;
}

/** Handles `/certificates/issuers`. The simulation's CA signs for all issuers. */
export function serveIssuers(
  vault: Vault,
  name: string | undefined,
  request: VaultRequest,
): ArmResponse | undefined {
  const issuers = issuersOf(vault);
  const shown = (row: IssuerRow) => ({ id: idOf(request, "certificates/issuers", row.name), ...row.body });
  if (name === undefined) {
    if (request.method !== "GET") return undefined;
    const rows = [...issuers.entries()].filter(([key]) => key.startsWith(`${vault.name}/`));
    return page(request, rows, ([, row]) => ({
      id: idOf(request, "certificates/issuers", row.name),
      provider: nonEmptyStringAt(row.body, "provider") ?? "",
    }));
  }
  const row = issuers.get(keyOf(vault, name));
  switch (request.method) {
    case "PUT":
      return ok(shown(write(vault, name, withoutSecret(requireBody(request.body)))));
    case "GET":
      return ok(shown(required(row, name)));
    case "PATCH": {
      const merged = members(mergePatch(required(row, name).body, withoutSecret(requireBody(request.body))));
      return ok(shown(write(vault, name, merged)));
    }
    case "DELETE": {
      const gone = required(row, name);
      vault.store.transaction(() => issuers.delete(keyOf(vault, name)));
      return ok(shown(gone));
    }
  }
  return undefined;
}

function write(vault: Vault, name: string, body: JsonObject): IssuerRow {
  if (!nonEmptyStringAt(body, "provider")) throw badParameter("Property provider of the issuer is missing.");
  const row = { name, body: { ...body, attributes: { enabled: true, ...members(body.attributes) } } };
  vault.store.transaction(() => issuersOf(vault).set(keyOf(vault, name), row));
  return row;
}

/** Removes the write-only password of an issuer account. */
function withoutSecret(body: JsonObject): JsonObject {
  const { pwd: _, ...credentials } = members(body.credentials);
  return body.credentials === undefined ? body : { ...body, credentials };
}

function required(row: IssuerRow | undefined, name: string): IssuerRow {
  if (row) return row;
  throw new VaultError(404, "CertificateIssuerNotFound", `Issuer not found: ${name}`);
}

function issuersOf({ store }: Vault): Table<IssuerRow> {
  return store.table("keyVaultCertificateIssuer");
}

function keyOf({ name: vault }: Vault, name: string): string {
  return `${vault}/${name.toLowerCase()}`;
}
