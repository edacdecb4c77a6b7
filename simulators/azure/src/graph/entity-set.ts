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

/** Common fields of entries of all kinds. */
export interface EntityRow {
  readonly objectId: string;
  readonly createdAt?: string;
}

/** Navigation below an entry. `rest` are the path segments after its name. */
export type Navigation<Row> = (
  deps: EntraDeps,
  row: Row,
  request: GraphRequest,
  rest: readonly string[],
) => NavigationAnswer | undefined;

/** `entries` are paged, a body is returned unchanged, and `done` returns 204. */
type NavigationAnswer =
  | { readonly entries: readonly JsonObject[] }
  | { readonly body: JsonObject; readonly status?: 200 | 201 }
  | { readonly done: true };

/** Kind of objects in Microsoft Graph. Writes run in their own transactions. */
export interface EntitySet<Row extends EntityRow> {
  /** Name in paths: `applications`. */
  readonly name: string;
  /** `application`: suffix of `@odata.type`. */
  readonly type: string;
  list(deps: EntraDeps): readonly Row[];
  /** Finds an entry by object ID, or by an alternate key of the paths. */
  find(deps: EntraDeps, id: string): Row | undefined;
  render(row: Row): JsonObject;
  /** @throws GraphError */
  create(deps: EntraDeps, body: JsonObject): Row | Promise<Row>;
  /** @throws GraphError */
  update(deps: EntraDeps, row: Row, body: JsonObject): unknown;
  /** @throws GraphError */
  remove(deps: EntraDeps, row: Row): void;
  /** Navigations by name in lower case. */
  readonly navigations?: Readonly<Record<string, Navigation<Row>>>;
}
