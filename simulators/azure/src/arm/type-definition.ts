import type { JsonObject } from "@keelson/base";
import type { ArmError } from "./arm-error.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import type { ReferencePath } from "./references.ts";
import type { Reference, ResourceRecord } from "./resource.ts";
import type { Range } from "./timings.ts";
import type { ViewDefinition } from "./view-definition.ts";

/** Resource in a client's write request, before it is stored. */
export interface Draft {
  readonly id: string;
  readonly name: string;
  readonly body: JsonObject;
  readonly existing: ResourceRecord | undefined;
  /** Object ID of the caller. Undefined if the simulation itself writes the resource. */
  readonly callerId?: string;
  readonly apiVersion?: string;
}

/** Order of a resource's fields in responses. Unlisted fields follow the listed fields. */
export interface FieldOrder {
  readonly top: readonly string[];
  readonly properties?: readonly string[];
}

/** Array in `properties`. Its elements, such as subnets, have IDs and can be requested separately. */
export interface ElementDefinition<S> {
  /** True if only the service writes the elements. */
  readonly fixed?: true;
  readonly order?: FieldOrder;
  /** Duration of writing an element by its own ID. Default: 0 ms. */
  readonly duration?: (subscription: S) => Range;
  /** Fields of an element's `properties` that the service sets. Clients may send them back unchanged. */
  readonly readOnly?: readonly string[];
  /** Returns the error for deleting an element to which other resources refer. Default: such an element can be deleted. */
  inUse?(id: string, by: readonly Reference[]): ArmError;
  /** Renders an element and adds the properties that depend on other resources. */
  render?(element: JsonObject, subscription: S): JsonObject;
  readonly actions?: Readonly<Record<string, ElementAction<S>>>;
}

interface ElementAction<S> {
  readonly method: "GET" | "POST";
  run(element: JsonObject, request: ArmRequest, subscription: S): ArmResponse;
}

export interface ActionDefinition<S> {
  readonly method: "GET" | "POST";
  run(record: ResourceRecord, request: ArmRequest, subscription: S): ArmResponse;
}

/** Rules for a name that must be globally unique in Azure. */
interface GlobalName<S> {
  /** Returns the error for a name that is in use. */
  taken(name: string, by: ResourceRecord): ArmError;
  /** Returns the error for a name that no resource uses but that is still unavailable. */
  held?(name: string, id: string | undefined, subscription: S): ArmError | undefined;
  /** Description of the naming rules for error messages. */
  readonly rules: string;
  /** Error code for an invalid name. */
  readonly invalid: string;
}

/** Response statuses of writes and deletions. Clients reject a status that the API of the type does not document. */
interface Statuses {
  /** Status of a synchronous creation. Default: 201. */
  readonly created?: 200;
  /** Status of an asynchronous creation. Default: the status of `created`. */
  readonly creating?: 202;
  /** Status of a replacement. Default: 200. */
  readonly replaced?: 201;
  /** Status of a synchronous deletion. Default: 200. */
  readonly deleted?: 204;
}

/**
 * Definition of a simulated resource type. Its functions receive a subscription of the type `S`. Other code implements the ARM rules that apply to
 * all types.
 */
export interface TypeDefinition<S> {
  readonly namespace: string;
  /** `virtualNetworks`, or `dnsZones/A` for a child resource. */
  readonly type: string;
  /** Scope of the resources. `any` marks an extension resource, which can have any scope. Default: a resource group. */
  readonly scope?: "any";
  /** Location of the resources. `none` means that the resources have no location. Default: a region. */
  readonly location?: "global" | "none";
  /** Format of the etag in the body: `weak` for `W/"..."`, `plain` for the bare tag. Default: the body has no etag. */
  readonly etag?: "weak" | "plain";
  /** False if the etag occurs only in the body and not in a header. Default: true. */
  readonly etagHeader?: false;
  readonly order?: FieldOrder;
  readonly names: RegExp;
  readonly globalName?: GlobalName<S>;
  /** Property in `properties` by which `Resources.lookedUp` finds resources. Default: the name, if it is globally unique. */
  readonly lookup?: string;
  /** False if responses have no `properties.provisioningState`. Default: true. */
  readonly provisioningState?: false;
  /** Provisioning state during the creation. Default: `Creating`. */
  readonly creatingState?: "Updating";
  /** True if the response to a creation has a `Location` header with the path of the new resource. */
  readonly namesCreated?: true;
  /** Statuses that differ from the defaults. */
  readonly statuses?: Statuses;
  /** True if the response to a deletion contains the deleted resource. */
  readonly showsDeleted?: true;
  /** Properties that the service sets. Clients may send them back unchanged. */
  readonly readOnly?: readonly string[];
  readonly elements?: Readonly<Record<string, ElementDefinition<S>>>;
  readonly references?: readonly ReferencePath[];
  /** Durations of creations, updates and deletions. Default: 0 ms. */
  readonly duration?: {
    readonly create?: (subscription: S) => Range;
    readonly update?: (subscription: S) => Range;
    readonly delete?: (subscription: S) => Range;
  };
  /** Returns the latency of the response to a write. Default: the general latency of writes. */
  latency?(request: ArmRequest, subscription: S): Range | undefined;
  readonly actions?: Readonly<Record<string, ActionDefinition<S>>>;
  /** Views by the types in their path, such as `locations/deletedVaults/purge`. */
  readonly views?: Readonly<Record<string, ViewDefinition<S>>>;
  /** Validates a draft and returns the completed body. @throws ArmError */
  prepare(draft: Draft, subscription: S): Pick<ResourceRecord, "body"> & { readonly hidden?: JsonObject };
  /** Called in the transaction that creates the resource. */
  created?(record: ResourceRecord, subscription: S): void;
  /** Returns the resource after an asynchronous creation or action has completed. Default: the resource is unchanged. */
  settled?(record: ResourceRecord, action: string, subscription: S): ResourceRecord;
  /** Called in the transaction that removes the resource. */
  removed?(record: ResourceRecord, subscription: S): void;
  inUse?(record: ResourceRecord, by: readonly Reference[]): ArmError;
  /** Rejects a deletion for a reason other than references from other resources. @throws ArmError */
  checkDelete?(record: ResourceRecord, subscription: S): void;
  render?(record: ResourceRecord, subscription: S, request?: ArmRequest): JsonObject;
  /** Returns the scope at which the resources of the type are always stored, whatever scope the request contains. */
  home?(subscription: S): string;
  /** Returns the resources directly below `scope`. Replaces the default list. */
  list?(scope: string, request: ArmRequest, subscription: S): readonly ResourceRecord[];
}
