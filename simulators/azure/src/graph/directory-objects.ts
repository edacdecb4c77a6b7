import type { JsonObject } from "@keelson/base";
import type { EntraDeps } from "../entra/entra-deps.ts";
import { isReplicated } from "../entra/replication.ts";
import { applications } from "./applications.ts";
import { badRequest } from "./graph-error.ts";
import { renderPrincipal, typed } from "./rendering.ts";

const most = 1_000;

/**
 * Handles `POST /directoryObjects/getByIds`. Returns the existing objects with these IDs. `types` can restrict the result to some
 * object types.
 */
export function getByIds(deps: EntraDeps, { ids, types }: JsonObject): readonly JsonObject[] {
  if (!Array.isArray(ids) || ids.length > most || !ids.every((each) => typeof each === "string")) {
    throw badRequest(`The property 'ids' must be an array of at most ${most} strings.`);
  }
  const wanted = (Array.isArray(types) ? types : []).map((each) => String(each).toLowerCase());
  const isWanted = (object: JsonObject) => {
    const type = String(object["@odata.type"]).replace("#microsoft.graph.", "").toLowerCase();
    return wanted.length === 0 || wanted.includes("directoryobject") || wanted.includes(type);
  };
  return [...new Set(ids.map((each) => String(each).toLowerCase()))]
    .map((id) => objectOf(deps, id))
    .filter((each) => each !== undefined)
    .filter(isWanted);
}

function objectOf(deps: EntraDeps, id: string): JsonObject | undefined {
  const entry = deps.directory.findPrincipal(id)?.entry;
  if (entry) return isReplicated(deps.subscription, entry) ? renderPrincipal(deps.directory, id) : undefined;
  const application = applications.find(deps, id);
  return application && typed(applications.type, applications.render(application));
}
