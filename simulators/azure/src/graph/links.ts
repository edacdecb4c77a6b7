import type { JsonValue } from "@keelson/base";
import { members, nonEmptyStringAt } from "../base/json.ts";
import type { Directory } from "../entra/directory.ts";
import type { EntraDeps } from "../entra/entra-deps.ts";
import type { EntityRow, Navigation } from "./entity-set.ts";
import { badRequest, notFound } from "./graph-error.ts";
import { renderPrincipal } from "./rendering.ts";

/** Entry that refers to other entries by object ID. */
type Linked<Name extends string> = EntityRow & Partial<Readonly<Record<Name, readonly string[]>>>;

/**
 * Returns a navigation property for the references of an entry to principals. Reads return the principals. With `$ref`, clients
 * add or remove references.
 */
export function linksOf<Name extends string, Row extends Linked<Name>>(
  name: Name,
  put: (deps: EntraDeps, row: Row) => void,
): Navigation<Row> {
  return (deps, row, { method, body }, rest) => {
    const { directory, subscription } = deps;
    const before: readonly string[] = row[name] ?? [];
    const [id = "", reference] = rest.length === 1 ? ["", rest[0]] : rest;
    if (rest.length === 0 && method === "GET") return { entries: objectsOf(directory, before) };
    if (reference !== "$ref") return undefined;
    const isOther = (each: string) => each.toLowerCase() !== id.toLowerCase();
    let links = before;
    if (method === "POST" && id === "") links = [...before, newLink(directory, name, before, body)];
    else if (method === "DELETE" && !before.every(isOther)) links = before.filter(isOther);
    else if (method === "DELETE") throw notFound(id);
    else return undefined;
    subscription.store.transaction(() => put(deps, { ...row, [name]: links }));
    return { done: true };
  };
}

/** Returns the principals with these IDs. IDs that do not exist are skipped. */
function objectsOf(directory: Directory, ids: readonly string[]) {
  return ids.map((each) => renderPrincipal(directory, each)).filter((each) => each !== undefined);
}

/** Returns the object ID in a reference: `{"@odata.id":"https://.../directoryObjects/{id}"}`. */
function newLink(
  directory: Directory,
  name: string,
  before: readonly string[],
  body: JsonValue | undefined,
): string {
  const link = nonEmptyStringAt(members(body), "@odata.id") ?? "";
  const id = link.slice(link.lastIndexOf("/") + 1);
  const found = directory.findPrincipal(id)?.entry;
  if (!found) throw notFound(id);
  if (before.includes(found.objectId)) {
    throw badRequest(
      `One or more added object references already exist for the following modified properties: '${name}'.`,
    );
  }
  return found.objectId;
}
