import type { ResourceType } from "@keelson/apimachinery";
import type { CustomKind } from "./custom-schemas.ts";
import type { OpenApiVersion } from "./json-schema.ts";

/** Properties of a built-in or custom resource that determine its paths. */
export interface PathResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Subresources with paths: `status` and `scale`. */
  readonly subresources?: readonly string[];
}

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly required?: true;
  /** Type of a parameter in OpenAPI 2. In OpenAPI 3, `schema` contains the type. */
  readonly type?: string;
  readonly schema?: { readonly type: string };
}

export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
  readonly "x-kubernetes-action": string;
  readonly "x-kubernetes-group-version-kind": {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  };
}

type Method = "get" | "put" | "post" | "delete" | "patch";
export type PathItem = Readonly<Partial<Record<Method, Operation>>> & {
  readonly parameters: readonly Parameter[];
};

const text = "string";
const flag = "boolean";
const number = "integer";
const writing = { dryRun: text, fieldManager: text, fieldValidation: text } as const;
const selecting = {
  allowWatchBookmarks: flag,
  continue: text,
  fieldSelector: text,
  labelSelector: text,
  limit: number,
  resourceVersion: text,
  resourceVersionMatch: text,
  sendInitialEvents: flag,
  timeoutSeconds: number,
  watch: flag,
} as const;
const deleting = { dryRun: text, gracePeriodSeconds: number, propagationPolicy: text } as const;

interface Action {
  readonly verb: string;
  readonly method: Method;
  readonly action: string;
  readonly query: Readonly<Record<string, string>>;
}

const collectionActions: readonly Action[] = [
  { verb: "list", method: "get", action: "list", query: selecting },
  { verb: "create", method: "post", action: "post", query: writing },
  {
    verb: "deletecollection",
    method: "delete",
    action: "deletecollection",
    query: { ...selecting, ...deleting },
  },
];

const objectActions: readonly Action[] = [
  { verb: "get", method: "get", action: "get", query: {} },
  { verb: "update", method: "put", action: "put", query: writing },
  { verb: "patch", method: "patch", action: "patch", query: { ...writing, force: flag } },
  { verb: "delete", method: "delete", action: "delete", query: deleting },
];

const scale = { group: "autoscaling", version: "v1", kind: "Scale" } as const;
const subresourceActions = objectActions.filter(({ verb }) => verb !== "delete");

/**
 * Returns the key of an API version in the index of version 3. The key equals the path below the server's root: `api/v1`,
 * `apis/apps/v1`.
 */
export function groupVersionPath({
  group,
  version,
}: {
  readonly group: string;
  readonly version: string;
}): string {
  return group === "" ? `api/${version}` : `apis/${group}/${version}`;
}

export function builtinResource({
  group,
  version,
  kind,
  plural,
  namespaced,
  verbs,
}: ResourceType): PathResource {
  return { group, version, kind, plural, namespaced, verbs };
}

export function customResource({
  group,
  version,
  kind,
  plural,
  namespaced,
  subresources,
}: CustomKind): PathResource {
  const verbs = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
  return { group, version, kind, plural, namespaced, verbs, subresources };
}

/**
 * Returns the paths of a resource: its collection, its objects with their subresources, and its list in all namespaces. The
 * operation `patch` declares two parameters for kubectl. Without `dryRun`, `kubectl --dry-run=server` fails. With
 * `fieldValidation`, kubectl leaves validation to the server.
 */
export function pathsOf(
  openApi: OpenApiVersion,
  resource: PathResource,
): readonly (readonly [string, PathItem])[] {
  const scope = resource.namespaced ? "/namespaces/{namespace}" : "";
  const collection = `/${groupVersionPath(resource)}${scope}/${resource.plural}`;
  const inPath = [...(resource.namespaced ? ["namespace"] : [])].map((name) =>
    parameter(openApi, name, "path", text),
  );
  const ofObject = [parameter(openApi, "name", "path", text), ...inPath];
  const listing = collectionActions.filter(({ verb }) => verb === "list");
  const listsAll = resource.namespaced && resource.verbs.includes("list");
  return [
    [collection, pathItem(openApi, resource, collectionActions, inPath)],
    [`${collection}/{name}`, pathItem(openApi, resource, objectActions, ofObject)],
    ...(resource.subresources ?? []).map((name): [string, PathItem] => {
      const shown = name === "scale" ? { ...resource, ...scale } : resource;
      return [`${collection}/{name}/${name}`, pathItem(openApi, shown, subresourceActions, ofObject)];
    }),
    ...(listsAll
      ? [
          [
            `/${groupVersionPath(resource)}/${resource.plural}`,
            pathItem(openApi, resource, listing, []),
          ] as const,
        ]
      : []),
  ];
}

function pathItem(
  openApi: OpenApiVersion,
  { group, version, kind, verbs }: PathResource,
  actions: readonly Action[],
  parameters: readonly Parameter[],
): PathItem {
  const operations = actions
    .filter(({ verb }) => verbs.includes(verb))
    .map(({ method, action, query }): [Method, Operation] => [
      method,
      {
        parameters: Object.entries(query).map(([name, type]) => parameter(openApi, name, "query", type)),
        responses: { "200": { description: "OK" } },
        "x-kubernetes-action": action,
        "x-kubernetes-group-version-kind": { group, version, kind },
      },
    ]);
  return { ...Object.fromEntries(operations), parameters };
}

function parameter(openApi: OpenApiVersion, name: string, place: "query" | "path", type: string): Parameter {
  return {
    name,
    in: place,
    ...(place === "path" ? { required: true } : {}),
    ...(openApi === 2 ? { type } : { schema: { type } }),
  };
}
