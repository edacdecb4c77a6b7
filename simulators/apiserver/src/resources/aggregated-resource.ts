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
 * A resource that a cluster's owner adds to it besides CustomResourceDefinitions: what real clusters serve through
 * aggregated API servers. Without `handlers` its objects are stored, as custom resources are.
 */
export interface AggregatedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** The kind in lower case when absent. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly namespaced: boolean;
  /** The columns after Name; with `cell`, `jsonPath` is empty. */
  readonly columns?: readonly Omit<PrinterColumn, "format" | "description">[];
  /** OpenAPI schema of its objects besides `metadata`; any members when absent. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Of stored objects: whether their status is written apart, and how they scale. */
  readonly status?: boolean;
  readonly scale?: { readonly labelSelectorPath?: string };
  /** Names may hold anything that a segment of a URL's path may, for example `system:admin`. */
  readonly pathNames?: boolean;
  /** Rights in the namespace of its name are rights on the object: each stands for a namespace. */
  readonly standsForNamespace?: boolean;
  /** Stored objects: answers a get for a name that no object has; `undefined` for those that are stored. */
  readonly specialGet?: (call: NamedCall) => Promise<KubeObject | undefined>;
  /** Answers the verbs that it has functions for; all others get 405. */
  readonly handlers?: ResourceHandlers;
  /** Further subresources, by name. */
  readonly subresources?: Readonly<Record<string, SubresourceHandlers>>;
}

/** A subresource answered by code. Its verbs are those that it has functions for. */
export interface SubresourceHandlers extends Omit<Subresource, "verbs" | "connects"> {
  readonly get?: (call: NamedCall) => Promise<object>;
  readonly create?: (call: NamedCall, body: unknown) => Promise<object>;
  readonly update?: (call: NamedCall, body: unknown) => Promise<object>;
}

/** Says that a request succeeded (meta/v1 Status). */
interface ListStatus {
  readonly apiVersion: "v1";
  readonly kind: "Status";
  readonly metadata: object;
  readonly status: "Success";
}

/**
 * The verbs of a resource as functions. `patch` comes from `get` and `update`. They throw StatusErrors. What they are
 * given to write has the name and the namespace of the URL, and passed admission.
 */
export interface ResourceHandlers {
  readonly get?: (call: NamedCall) => Promise<KubeObject>;
  /**
   * All objects of the namespace, or of the cluster; selectors are applied afterwards. A status where there is nothing
   * to list.
   */
  readonly list?: (call: ResourceCall) => Promise<ObjectList | ListStatus>;
  /** From the current objects on when `resourceVersion` is absent. Selectors are applied afterwards. */
  readonly watch?: (
    call: ResourceCall,
    resourceVersion: string | undefined,
    signal: AbortSignal,
  ) => AsyncIterable<WatchEvent>;
  readonly create?: (call: ResourceCall, object: KubeObject) => Promise<KubeObject>;
  readonly update?: (call: NamedCall, object: KubeObject) => Promise<KubeObject>;
  /** Resolves to what is answered: the object while it is on its way, nothing once it is gone. */
  readonly delete?: (call: NamedCall) => Promise<KubeObject | undefined>;
}

/** A request that code answers: who asks, about what. */
export interface ResourceCall {
  readonly user: User;
  readonly namespace: string | undefined;
  readonly query: URLSearchParams;
  readonly dryRun: boolean;
  /**
   * The cluster's objects without authorization, but written as the user who asks: admission judges who that is, and a
   * dry run writes nothing.
   */
  readonly client: ClusterClient;
  /** Sends a warning to the client. */
  readonly warn: (text: string) => void;
  /** Whether the user may do something else besides what the request asks for. */
  readonly allows: (action: {
    readonly verb: string;
    readonly group: string;
    readonly resource: string;
    readonly namespace?: string;
    readonly name?: string;
  }) => boolean;
  /** Aborts when the client goes away or the cluster closes. */
  readonly signal: AbortSignal;
}

export interface NamedCall extends ResourceCall {
  readonly name: string;
}
