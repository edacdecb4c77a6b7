import type { JsonObject, JsonValue } from "@keelson/base";
import { type ArmResponse, ok } from "../arm/exchange.ts";
import { badParameter } from "./vault-error.ts";
import { recoverableDays, type VaultObjects } from "./vault-objects.ts";
import type { VaultRequest } from "./vault-request.ts";
import { type DeletedRow, latest, type VaultRow, type VaultVersion } from "./vault-row.ts";
import { readChange } from "./version-request.ts";

const maxPage = 25;

/** Operations and response formats for one type of vault objects. */
export interface Collection<Content> {
  readonly name: "secrets" | "keys" | "certificates";
  readonly objects: VaultObjects<Content>;
  /** Renders a version as an entry of a list. */
  item(id: string, version: VaultVersion<Content>): JsonObject;
  /** Renders a single version. @throws VaultError if the version may not be read */
  bundle(row: VaultRow<Content>, version: VaultVersion<Content>): JsonObject;
  /** Returns the changes to the content that a request makes. Attributes and tags are not included. */
  contentChange(body: JsonValue | undefined): Partial<Content>;
  /** Applies a deletion, recovery or purge to related objects, for example to a certificate's key. */
  readonly along?: (name: string, way: "delete" | "recover" | "purge") => void;
}

/** Returns the pattern of a path in a collection, for example `name`, `name/version` or `name/versions`. */
export function shapeOf([, name, part, ...more]: readonly string[], words: readonly string[]): string {
  if (name === undefined) return "";
  if (part === undefined) return "name";
  const word = part.toLowerCase();
  if (words.includes(word)) return ["name", word, ...more.map((each) => each.toLowerCase())].join("/");
  return ["name", "version", ...more.map((each) => each.toLowerCase())].join("/");
}

export function idOf(request: VaultRequest, collection: string, name: string, version?: string): string {
  return [request.idUrl, collection, name, ...(version === undefined ? [] : [version])].join("/");
}

/** Handles the requests that all object types support: lists, versions, updates, deletion and recovery. @throws VaultError */
export function commonResponse<Content>(
  collection: Collection<Content>,
  path: readonly string[],
  request: VaultRequest,
): ArmResponse | undefined {
  const [directory = "", name = "", part] = path;
  const { objects } = collection;
  const item = (row: VaultRow<Content>, version?: VaultVersion<Content>) =>
    collection.item(idOf(request, collection.name, row.name, version?.id), version ?? latest(row));
  const deletedItem = (row: DeletedRow<Content>, shown: JsonObject) => ({
    ...shown,
    recoveryId: idOf(request, `deleted${collection.name}`, row.name),
    deletedDate: row.deleted.at,
    scheduledPurgeDate: row.deleted.purgeAt,
  });
  // A deleted secret is rendered as in lists, without its value. Deleted keys and certificates are rendered completely.
  const deletedBundle = (row: DeletedRow<Content>) =>
    deletedItem(
      row,
      collection.name === "secrets" ? item(row, latest(row)) : collection.bundle(row, latest(row)),
    );
  const isDeleted = directory.toLowerCase() === `deleted${collection.name}`;
  const kind = `${request.method} ${isDeleted ? "deleted " : ""}${shapeOf(path, ["versions", "recover"])}`;
  switch (kind) {
    case "GET ":
      return page(request, objects.list("present"), (row) => item(row));
    case "GET deleted ":
      return page(request, objects.list("deleted"), (row) =>
        deletedItem(objects.getDeleted(row.name), item(row)),
      );
    case "GET name/versions": {
      const row = objects.get(name);
      return page(request, row.versions, (version) => item(row, version));
    }
    case "GET name":
    case "GET name/version": {
      const row = objects.get(name);
      return ok(collection.bundle(row, objects.versionOf(row, part)));
    }
    case "PATCH name":
    case "PATCH name/version": {
      const row = objects.get(name);
      const { id } = objects.versionOf(row, part);
      const change = readChange(request.body);
      const version = objects.update(row.name, id, change, collection.contentChange(request.body));
      const changed = objects.get(row.name);
      return ok(collection.name === "secrets" ? item(changed, version) : collection.bundle(changed, version));
    }
    case "DELETE name": {
      const row = objects.delete(name);
      collection.along?.(name, "delete");
      return ok(deletedBundle(row));
    }
    case "GET deleted name":
      return ok(deletedBundle(objects.getDeleted(name)));
    case "POST deleted name/recover": {
      const row = objects.recover(name);
      collection.along?.(name, "recover");
      return ok(collection.name === "secrets" ? item(row, latest(row)) : collection.bundle(row, latest(row)));
    }
    case "DELETE deleted name":
      objects.purge(name);
      collection.along?.(name, "purge");
      return { status: 204 };
    default:
      return undefined;
  }
}

/** Renders the attributes of a version. */
export function shownAttributes<Content>({ attributes }: VaultVersion<Content>): JsonObject {
  return { ...attributes, recoveryLevel: "Recoverable+Purgeable", recoverableDays };
}

/** Returns one page of rows. `$skiptoken` contains the number of rows on the previous pages. */
export function page<Row>(
  { query, segments, vaultUrl }: VaultRequest,
  rows: readonly Row[],
  render: (row: Row) => JsonValue,
): ArmResponse {
  const size = Number(query.get("maxresults") ?? maxPage);
  if (!Number.isInteger(size) || size < 1 || size > maxPage) {
    throw badParameter(`maxresults must be between 1 and ${maxPage}`);
  }
  const start = Number(query.get("$skiptoken") ?? 0);
  if (!Number.isInteger(start) || start < 0) throw badParameter("The $skiptoken is invalid.");
  const value = rows.slice(start, start + size).map(render);
  if (start + size >= rows.length) return ok({ value, nextLink: null });
  const next = new URLSearchParams(query);
  next.set("$skiptoken", String(start + size));
  const path = segments.slice(1).map(encodeURIComponent).join("/");
  return ok({ value, nextLink: `${vaultUrl}/${path}?${next}` });
}
