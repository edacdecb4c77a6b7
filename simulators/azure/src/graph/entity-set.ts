import type { JsonObject, JsonValue } from "@keelson/base";
import type { Principal } from "../arm/principal.ts";
import type { EntraDeps } from "../entra/entra-deps.ts";

/** A request to Microsoft Graph, authenticated. */
export interface GraphRequest {
  readonly method: string;
  /** Decoded, with the version first. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly body: JsonValue | undefined;
  readonly baseUrl: string;
  readonly principal: Principal;
}

/** What an entry keeps, whatever its kind. */
export interface EntityRow {
  readonly objectId: string;
  readonly createdAt?: string;
}

/** What can be called below one entry; `rest` is what follows the name in the path. */
export type Navigation<Row> = (
  deps: EntraDeps,
  row: Row,
  request: GraphRequest,
  rest: readonly string[],
) => NavigationAnswer | undefined;

/** `entries` become pages; a body stands as it is; nothing is 204. */
type NavigationAnswer =
  | { readonly entries: readonly JsonObject[] }
  | { readonly body: JsonObject; readonly status?: 200 | 201 }
  | { readonly done: true };

/** A kind of objects of Microsoft Graph. What writes runs in transactions of its own. */
export interface EntitySet<Row extends EntityRow> {
  /** As in paths: `applications`. */
  readonly name: string;
  /** `application`: the end of `@odata.type`. */
  readonly type: string;
  list(deps: EntraDeps): readonly Row[];
  /** By object ID, or by another name that paths take. */
  find(deps: EntraDeps, id: string): Row | undefined;
  render(row: Row): JsonObject;
  /** @throws GraphError */
  create(deps: EntraDeps, body: JsonObject): Row | Promise<Row>;
  /** @throws GraphError */
  update(deps: EntraDeps, row: Row, body: JsonObject): unknown;
  /** @throws GraphError */
  remove(deps: EntraDeps, row: Row): void;
  /** By name in lower case. */
  readonly navigations?: Readonly<Record<string, Navigation<Row>>>;
}
