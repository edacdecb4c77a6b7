import type { JsonObject, JsonValue } from "@keelson/base";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import type { ArmError } from "./arm-error.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import type { ProviderView } from "./provider.ts";
import type { Reference, ResourceRecord } from "./resource.ts";
import type { Subscription } from "./subscription.ts";
import type { Range } from "./timings.ts";

/** Resource in a client's write request, before it is stored. */
export interface Draft {
  readonly id: string;
  readonly name: string;
  readonly body: JsonObject;
  readonly existing: ResourceRecord | undefined;
  /** Object ID of the caller. Default: the simulation itself. */
  readonly callerId?: string;
  readonly apiVersion?: string;
}

/** Order of a resource's fields in responses. Fields that are not listed follow. */
export interface FieldOrder {
  readonly top: readonly string[];
  readonly properties?: readonly string[];
}

/** Array in `properties` with elements that have IDs and can be requested separately, such as subnets. */
export interface ElementType {
  /** True if only the service writes the elements. */
  readonly fixed?: true;
  readonly order?: FieldOrder;
  /** Duration of a write of an element by its own ID. Default: 0. */
  readonly duration?: (subscription: Subscription) => Range;
  /** Fields of an element's `properties` that the service sets. Clients may send them back unchanged. */
  readonly readOnly?: readonly string[];
  /** Returns the error for deleting an element that other resources refer to. Default: the deletion is allowed. */
  inUse?(id: string, by: readonly Reference[]): ArmError;
  /** Renders an element with the properties that depend on other resources. */
  render?(element: JsonObject, subscription: Subscription): JsonObject;
  readonly actions?: Readonly<Record<string, ElementAction>>;
}

interface ElementAction {
  readonly method: "GET" | "POST";
  run(element: JsonObject, request: ArmRequest, subscription: Subscription): ArmResponse;
}

/** Path to resource IDs below `properties`, or below each element of `within`. `*` represents all elements of an array. */
interface ReferencePath {
  readonly within?: string;
  readonly path: readonly string[];
  /** Property with the ID in the object at the path. Default: `id`. */
  readonly member?: string;
  readonly soft?: boolean;
}

export interface ResourceAction {
  readonly method: "GET" | "POST";
  run(record: ResourceRecord, request: ArmRequest, subscription: Subscription): ArmResponse;
}

/** Rules for a name that must be globally unique in Azure. */
interface GlobalName {
  /** Returns the error for a name that is in use. */
  taken(name: string, by: ResourceRecord): ArmError;
  /** Returns the error for a name that is unused but unavailable. */
  held?(name: string, id: string | undefined, subscription: Subscription): ArmError | undefined;
  /** Description of the naming rules, and the reason code for an invalid name. */
  readonly rules: string;
  readonly invalid: string;
}

/** Response statuses of writes and deletions. Clients reject statuses that are not documented in the type's API. */
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

/** Definition of a simulated resource type. The generic ARM rules are implemented separately. */
export interface ResourceType {
  readonly namespace: string;
  /** `virtualNetworks`, or `dnsZones/A` for a child resource. */
  readonly type: string;
  /** `any` defines an extension resource of any scope. */
  readonly scope: "resourceGroup" | "any";
  readonly location: "regional" | "global" | "none";
  /** Format of the etag in the body: `W/"..."`, bare, or omitted. */
  readonly etag: "weak" | "plain" | "none";
  /** False if the etag is only in the body. Default: true. */
  readonly etagHeader?: false;
  readonly order?: FieldOrder;
  readonly names: RegExp;
  readonly globalName?: GlobalName;
  /** Property in `properties` by which `Resources.lookedUp` finds resources. Default: the name, if it is global. */
  readonly lookup?: string;
  /** False if responses have no `properties.provisioningState`. Default: true. */
  readonly provisioningState?: false;
  /** Provisioning state during the creation. Default: `Creating`. */
  readonly creatingState?: "Updating";
  /** True if a creation's response has a `Location` header with the resource's path. */
  readonly namesCreated?: true;
  /** Statuses that differ from the defaults. */
  readonly statuses?: Statuses;
  /** True if the response to a deletion contains the deleted resource. */
  readonly showsDeleted?: true;
  /** Properties that the service sets. Clients may send them back unchanged. */
  readonly readOnly?: readonly string[];
  readonly elements?: Readonly<Record<string, ElementType>>;
  readonly references?: readonly ReferencePath[];
  /** Durations of creations, updates and deletions. Default: 0 ms. */
  readonly duration?: {
    readonly create?: (subscription: Subscription) => Range;
    readonly update?: (subscription: Subscription) => Range;
    readonly delete?: (subscription: Subscription) => Range;
  };
  /** Returns the latency of a write's response. Default: the general latency of writes. */
  latency?(request: ArmRequest, subscription: Subscription): Range | undefined;
  readonly actions?: Readonly<Record<string, ResourceAction>>;
  /** Views by path types, such as `locations/deletedVaults/purge`. */
  readonly views?: Readonly<Record<string, ProviderView>>;
  /** Validates a draft and completes it. @throws ArmError */
  prepare(
    draft: Draft,
    subscription: Subscription,
  ): Pick<ResourceRecord, "body"> & { readonly hidden?: JsonObject };
  /** Called in the transaction that creates the resource. */
  created?(record: ResourceRecord, subscription: Subscription): void;
  /** Called after an asynchronous creation or action has completed. */
  settled?(record: ResourceRecord, action: string, subscription: Subscription): ResourceRecord;
  /** Called in the transaction that removes the resource. */
  removed?(record: ResourceRecord, subscription: Subscription): void;
  inUse?(record: ResourceRecord, by: readonly Reference[]): ArmError;
  /** Rejects a deletion for reasons other than references to the resource. @throws ArmError */
  checkDelete?(record: ResourceRecord, subscription: Subscription): void;
  render?(record: ResourceRecord, subscription: Subscription, request?: ArmRequest): JsonObject;
  /** Returns the scope at which resources of the type are stored, regardless of the requested scope. */
  home?(subscription: Subscription): string;
  /** Returns the resources directly below `scope`. Replaces the default list. */
  list?(scope: string, request: ArmRequest, subscription: Subscription): readonly ResourceRecord[];
}

/** Returns the references that a resource of this type contains. */
export function referencesOf(type: ResourceType, record: ResourceRecord): readonly Reference[] {
  return (type.references ?? []).flatMap(({ within, path, member = "id", soft = false }) => {
    const elements =
      within === undefined
        ? [{ from: record.id, properties: record.body.properties }]
        : objectsAt(record.body, "properties", within).map((each) => ({
            from: nonEmptyStringAt(each, "id") ?? record.id,
            properties: each.properties,
          }));
    return elements.flatMap(({ from, properties }) =>
      idsAt(properties, path, member).map((target) => ({ from, holder: record.id, target, soft })),
    );
  });
}

/** Returns the values of `member` at `path`. `*` and arrays represent each array element. */
function idsAt(value: JsonValue | undefined, path: readonly string[], member: string): readonly string[] {
  const [name, ...rest] = path;
  if (Array.isArray(value) && (name === undefined || name === "*")) {
    return value.flatMap((each: JsonValue) => idsAt(each, rest, member));
  }
  if (name === undefined) return [nonEmptyStringAt(value, member)].filter((id) => id !== undefined);
  return idsAt(at(value, name), rest, member);
}
