import type {
  ClusterClient,
  KubeObject,
  ObjectList,
  PrinterColumn,
  Subresource,
  WatchEvent,
} from "@keelson/apimachinery";
import type { DeclaredMergeRules } from "@keelson/wire-formats";
import type { User } from "../auth/user.ts";

/**
 * Resource that a cluster's owner adds without a CustomResourceDefinition. It is similar to a resource of an aggregated API
 * server. Without `handlers`, its objects are stored like custom resources.
 */
export interface AggregatedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** Singular name. Default: the kind in lower case. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** Printer columns that follow the column Name. If a column has the function `cell`, its `jsonPath` is empty. */
  readonly columns?: readonly Omit<PrinterColumn, "format" | "description">[];
  /** OpenAPI schema of the objects without `metadata`. Default: a schema that accepts any fields. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Schema in OpenAPI documents. Objects are not validated against it. Default: `schema`. */
  readonly publishedSchema?: Readonly<Record<string, unknown>>;
  /** Rules of strategic merge patches. Default: lists are replaced, and objects are merged. */
  readonly mergeRules?: DeclaredMergeRules;
  /** True if stored objects have the subresource `status`. */
  readonly status?: boolean;
  readonly scale?: { readonly labelSelectorPath?: string };
  /** True if object names may contain all characters of a URL path segment. An example is `system:admin`. */
  readonly pathNames?: boolean;
  /**
   * True if each object represents the namespace with the same name. A user's permissions in this namespace also apply to the
   * object.
   */
  readonly standsForNamespace?: boolean;
  /** Handles a get request for a virtual object, which is not stored. Returns undefined if no virtual object has this name. */
  readonly specialGet?: (call: NamedCall) => Promise<KubeObject | undefined>;
  /** Verbs that are implemented by functions. All other verbs fail with 405. */
  readonly handlers?: ResourceHandlers;
  /** Additional subresources by name. */
  readonly subresources?: Readonly<Record<string, SubresourceHandlers>>;
}

/** Subresource with verbs that functions implement. It supports only the verbs that have a function. */
export interface SubresourceHandlers extends Omit<Subresource, "verbs" | "connects"> {
  readonly get?: (call: NamedCall) => Promise<object>;
  readonly create?: (call: NamedCall, body: unknown) => Promise<object>;
  readonly update?: (call: NamedCall, body: unknown) => Promise<object>;
  /** Handles a POST with a body of any type and size. The server reads and discards the body first. Replaces `create`. */
  readonly upload?: (call: NamedCall) => Promise<object>;
  /**
   * Handles a GET of a log. Returns the pod from which the server reads the log, or undefined for an empty log. The query has the
   * options of `pods/log`. This function handles the option `previous`, and the server handles all other options. Replaces `get`.
   */
  readonly podLog?: (call: NamedCall) => Promise<KubeObject | undefined>;
}

/** Status that a list returns instead of objects (meta/v1 Status). */
interface ListStatus {
  readonly apiVersion: "v1";
  readonly kind: "Status";
  readonly metadata: object;
  readonly status: "Success";
}

/**
 * Functions that implement the verbs of a resource. They throw StatusErrors. `patch` is derived from `get` and `update`. Objects
 * to write have already passed admission and have the URL's name and namespace.
 */
export interface ResourceHandlers {
  readonly get?: (call: NamedCall) => Promise<KubeObject>;
  /**
   * Lists all objects of the namespace or cluster. The caller applies selectors. Returns a Status if the resource cannot be
   * listed.
   */
  readonly list?: (call: ResourceCall) => Promise<ObjectList | ListStatus>;
  /**
   * Watches the objects. The watch begins with the current objects if `resourceVersion` is undefined. The caller applies
   * selectors.
   */
  readonly watch?: (
    call: ResourceCall,
    resourceVersion: string | undefined,
    signal: AbortSignal,
  ) => AsyncIterable<WatchEvent>;
  readonly create?: (call: ResourceCall, object: KubeObject) => Promise<KubeObject>;
  readonly update?: (call: NamedCall, object: KubeObject) => Promise<KubeObject>;
  /** Deletes the object. Resolves to the object if its deletion is in progress, and to undefined if it is deleted. */
  readonly delete?: (call: NamedCall) => Promise<KubeObject | undefined>;
}

/** Context of a handler's request. */
export interface ResourceCall {
  readonly user: User;
  readonly namespace: string | undefined;
  readonly query: URLSearchParams;
  readonly dryRun: boolean;
  /**
   * Client that writes on behalf of the requesting user. Its writes pass admission for this user, but they are not authorized
   * again. In a dry run, they are not stored.
   */
  readonly client: ClusterClient;
  /** Sends a warning to the client. */
  readonly warn: (text: string) => void;
  /** True if the user has the given permission. The permission for the request itself is already checked. */
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
