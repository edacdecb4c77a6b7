import type { JsonObject, JsonValue } from "@keelson/base";
import type { Principal } from "../arm/principal.ts";
import type { EntraDeps } from "../entra/entra-deps.ts";

/** Authenticated request to Microsoft Graph. */
export interface GraphRequest {
  readonly method: string;
  /** Decoded path segments, starting with the version. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly body: JsonValue | undefined;
  readonly baseUrl: string;
  readonly principal: Principal;
}

/** Common fields of all directory entries. */
export interface EntityRow {
  readonly objectId: string;
  readonly createdAt?: string;
}

/**
 * Handles a navigation property or an action of an entry. `rest` contains the path segments that follow the name of the property
 * or action.
 */
export type Navigation<Row> = (
  deps: EntraDeps,
  row: Row,
  request: GraphRequest,
  rest: readonly string[],
) => NavigationResponse | undefined;

/**
 * Result of a navigation. `entries` are returned in pages, `body` is returned unchanged, and `done` means an empty response with
 * status 204.
 */
type NavigationResponse =
  | { readonly entries: readonly JsonObject[] }
  | { readonly body: JsonObject; readonly status?: 200 | 201 }
  | { readonly done: true };

/** Entity set of Microsoft Graph. Each write runs in a separate transaction. */
export interface EntitySet<Row extends EntityRow> {
  /** Name in paths, for example `applications`. */
  readonly name: string;
  /** Suffix of `@odata.type`, for example `application`. */
  readonly type: string;
  list(deps: EntraDeps): readonly Row[];
  /** Returns an entry by object ID or by an alternate key. Undefined if no entry has this ID or key. */
  find(deps: EntraDeps, id: string): Row | undefined;
  render(row: Row): JsonObject;
  /** Creates an entry. @throws GraphError */
  create(deps: EntraDeps, body: JsonObject): Row | Promise<Row>;
  /** Updates an entry. @throws GraphError */
  update(deps: EntraDeps, row: Row, body: JsonObject): unknown;
  /** Deletes an entry. @throws GraphError */
  remove(deps: EntraDeps, row: Row): void;
  /** Navigation properties and actions by lower-case name. */
  readonly navigations?: Readonly<Record<string, Navigation<Row>>>;
}
