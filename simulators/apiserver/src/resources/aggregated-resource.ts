import type {
  ClusterClient,
  KubeObject,
  ObjectList,
  PrinterColumn,
  Subresource,
  WatchEvent,
} from "@keelson/apimachinery";
import type { User } from "../auth/user.ts";

/**
 * Resource that a cluster's owner adds without a CustomResourceDefinition, like those of aggregated API
 * servers. Without `handlers`, its objects are stored like custom resources.
 */
export interface AggregatedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** Columns after Name. With `cell`, `jsonPath` is empty. */
  readonly columns?: readonly Omit<PrinterColumn, "format" | "description">[];
  /** OpenAPI schema of its objects without `metadata`. Default: accepts any fields. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Stored objects: true if `status` is a subresource. */
  readonly status?: boolean;
  readonly scale?: { readonly labelSelectorPath?: string };
  /** True if names may contain all characters of a URL path segment, such as `system:admin`. */
  readonly pathNames?: boolean;
  /**
   * True if each object represents the namespace of its name. Permissions in that namespace apply to the
   * object.
   */
  readonly standsForNamespace?: boolean;
  /** Handles a get of a virtual object that is not stored. Returns undefined for other names. */
  readonly specialGet?: (call: NamedCall) => Promise<KubeObject | undefined>;
  /** Verbs implemented by code. All other verbs fail with 405. */
  readonly handlers?: ResourceHandlers;
  /** Additional subresources by name. */
  readonly subresources?: Readonly<Record<string, SubresourceHandlers>>;
}

/** Subresource implemented by code. Its verbs are those with a function. */
export interface SubresourceHandlers extends Omit<Subresource, "verbs" | "connects"> {
  readonly get?: (call: NamedCall) => Promise<object>;
  readonly create?: (call: NamedCall, body: unknown) => Promise<object>;
  readonly update?: (call: NamedCall, body: unknown) => Promise<object>;
}

/** Success status (meta/v1 Status). */
interface ListStatus {
  readonly apiVersion: "v1";
  readonly kind: "Status";
  readonly metadata: object;
  readonly status: "Success";
}

/**
 * Verbs of a resource as functions, which throw StatusErrors. `patch` is derived from `get` and `update`.
 * Objects to write have the URL's name and namespace and have passed admission.
 */
export interface ResourceHandlers {
  readonly get?: (call: NamedCall) => Promise<KubeObject>;
  /**
   * Lists all objects of the namespace or cluster. Selectors are applied afterwards. Returns a Status if the
   * resource has no list.
   */
  readonly list?: (call: ResourceCall) => Promise<ObjectList | ListStatus>;
  /**
   * Watches the objects, from their current state if `resourceVersion` is undefined. Selectors are applied
   * afterwards.
   */
  readonly watch?: (
    call: ResourceCall,
    resourceVersion: string | undefined,
    signal: AbortSignal,
  ) => AsyncIterable<WatchEvent>;
  readonly create?: (call: ResourceCall, object: KubeObject) => Promise<KubeObject>;
  readonly update?: (call: NamedCall, object: KubeObject) => Promise<KubeObject>;
  /** Resolves to the response: the object while its deletion is in progress, undefined when it is deleted. */
  readonly delete?: (call: NamedCall) => Promise<KubeObject | undefined>;
}

/** Context of a request that code handles. */
export interface ResourceCall {
  readonly user: User;
  readonly namespace: string | undefined;
  readonly query: URLSearchParams;
  readonly dryRun: boolean;
  /**
   * Client without authorization that writes as the requesting user. Admission applies to that
   * user, and a dry run is not stored.
   */
  readonly client: ClusterClient;
  /** Sends a warning to the client. */
  readonly warn: (text: string) => void;
  /** True if the user has an additional permission besides that of the request. */
  readonly allows: (action: {
    readonly verb: string;
    readonly group: string;
    readonly resource: string;
    readonly namespace?: string;
    readonly name?: string;
  }) => boolean;
  /** Aborts when the client disconnects or the cluster closes. */
  readonly signal: AbortSignal;
}

export interface NamedCall extends ResourceCall {
  readonly name: string;
}
