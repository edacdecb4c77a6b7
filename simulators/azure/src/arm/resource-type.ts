import type { JsonObject, JsonValue } from "@keelson/base";
import { at, objectsAt, textAt } from "../base/json.ts";
import type { ArmError } from "./arm-error.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import type { ProviderView } from "./provider.ts";
import type { Reference, ResourceRecord } from "./resource.ts";
import type { Subscription } from "./subscription.ts";
import type { Range } from "./timings.ts";

/** Resource that a client writes, before it is stored. */
export interface Draft {
  readonly id: string;
  readonly name: string;
  readonly body: JsonObject;
  readonly existing: ResourceRecord | undefined;
  /** Object ID of the writing principal. Default: the simulation itself. */
  readonly callerId?: string;
  readonly apiVersion?: string;
}

/** Order of the fields of a resource as clients see it. Other fields follow. */
export interface FieldOrder {
  readonly top: readonly string[];
  readonly properties?: readonly string[];
}

/** Entries of an array in `properties` with IDs and separate requests, such as subnets. */
export interface ElementType {
  /** True if only the service writes the entries. */
  readonly fixed?: true;
  readonly order?: FieldOrder;
  /** Duration of the write of an entry by its own ID. Default: 0. */
  readonly duration?: (subscription: Subscription) => Range;
  /** Fields of an entry's `properties` that the service adds and clients send back. */
  readonly readOnly?: readonly string[];
  /** Error for the deletion of an entry that other resources refer to. Default: the deletion is allowed. */
  inUse?(id: string, by: readonly Reference[]): ArmError;
  /** Entry in responses, with the properties that depend on other resources. */
  render?(element: JsonObject, subscription: Subscription): JsonObject;
  readonly actions?: Readonly<Record<string, ElementAction>>;
}

interface ElementAction {
  readonly method: "GET" | "POST";
  run(element: JsonObject, request: ArmRequest, subscription: Subscription): ArmResponse;
}

/**
 * Location of resource IDs in `properties`, or in those of each entry of `within`. `*` in `path` represents
 * the entries of an array.
 */
interface ReferencePath {
  readonly within?: string;
  readonly path: readonly string[];
  /** Property at the end of the path that contains the ID. Default: `id`. */
  readonly member?: string;
  readonly soft?: boolean;
}

export interface ResourceAction {
  readonly method: "GET" | "POST";
  run(record: ResourceRecord, request: ArmRequest, subscription: Subscription): ArmResponse;
}

/** Name that is unique in all of Azure. */
interface GlobalName {
  /** Error for a used name. */
  taken(name: string, by: ResourceRecord): ArmError;
  /** Error for an unused name that is nevertheless unavailable. */
  held?(name: string, id: string | undefined, subscription: Subscription): ArmError | undefined;
  /** Description of the naming rules, and the reason for an invalid name. */
  readonly rules: string;
  readonly invalid: string;
}

/**
 * Response statuses of writes and deletions. Clients reject statuses that the type's API documents do not
 * list.
 */
interface Statuses {
  /** Synchronous creation. Default: 201. */
  readonly created?: 200;
  /** Asynchronous creation. Default: that of `created`. */
  readonly creating?: 202;
  /** Replacement. Default: 200. */
  readonly replaced?: 201;
  /** Synchronous deletion. Default: 200. */
  readonly deleted?: 204;
}

/** Definition of a resource type in the simulation. The generic rules of ARM are implemented separately. */
export interface ResourceType {
  readonly namespace: string;
  /** `virtualNetworks`, or `dnsZones/A` for a child resource. */
  readonly type: string;
  /** `any`: an extension of any scope. */
  readonly scope: "resourceGroup" | "any";
  readonly location: "regional" | "global" | "none";
  /** Form of the etag in the body: `W/"..."`, bare, or omitted. */
  readonly etag: "weak" | "plain" | "none";
  /** False if only the body has the etag. Default: true. */
  readonly etagHeader?: false;
  readonly order?: FieldOrder;
  readonly names: RegExp;
  readonly globalName?: GlobalName;
  /**
   * Property in `properties` with which `Resources.lookedUp` finds resources. Default: the name, if it is
   * global.
   */
  readonly lookup?: string;
  /** False if responses omit `properties.provisioningState`. Default: true. */
  readonly provisioningState?: false;
  /** Provisioning state during the creation. Default: `Creating`. */
  readonly creatingState?: "Updating";
  /** True if the response to a creation has the resource's path in the header `Location`. */
  readonly namesCreated?: true;
  /** Statuses that differ from those of most services. */
  readonly statuses?: Statuses;
  /** True if a deletion returns the deleted resource. */
  readonly showsDeleted?: true;
  /** Properties in `properties` that the service adds and clients send back. */
  readonly readOnly?: readonly string[];
  readonly elements?: Readonly<Record<string, ElementType>>;
  readonly references?: readonly ReferencePath[];
  /** Durations of a creation, an update and a deletion. Default: 0 ms. */
  readonly duration?: {
    readonly create?: (subscription: Subscription) => Range;
    readonly update?: (subscription: Subscription) => Range;
    readonly delete?: (subscription: Subscription) => Range;
  };
  /** Duration of the response to a write. Default: that of all writes. */
  latency?(request: ArmRequest, subscription: Subscription): Range | undefined;
  readonly actions?: Readonly<Record<string, ResourceAction>>;
  /** Views by the types of their paths, such as `locations/deletedVaults/purge`. */
  readonly views?: Readonly<Record<string, ProviderView>>;
  /** Checks a draft and completes it. @throws ArmError */
  prepare(
    draft: Draft,
    subscription: Subscription,
  ): Pick<ResourceRecord, "body"> & { readonly hidden?: JsonObject };
  /** Runs in the transaction that created the resource. */
  created?(record: ResourceRecord, subscription: Subscription): void;
  /** Runs when an asynchronous creation or action is complete. */
  settled?(record: ResourceRecord, action: string, subscription: Subscription): ResourceRecord;
  /** Runs in the transaction that removed the resource. */
  removed?(record: ResourceRecord, subscription: Subscription): void;
  inUse?(record: ResourceRecord, by: readonly Reference[]): ArmError;
  /** Rejects a deletion for reasons other than references. @throws ArmError */
  checkDelete?(record: ResourceRecord, subscription: Subscription): void;
  render?(record: ResourceRecord, subscription: Subscription, request?: ArmRequest): JsonObject;
  /** Scope that stores resources of the type, regardless of the called scope. */
  home?(subscription: Subscription): string;
  /** Replaces the default list of the resources directly below `scope`. */
  list?(scope: string, request: ArmRequest, subscription: Subscription): readonly ResourceRecord[];
}

/** References in a resource according to its type. */
export function referencesOf(type: ResourceType, record: ResourceRecord): readonly Reference[] {
  return (type.references ?? []).flatMap(({ within, path, member = "id", soft = false }) => {
    const elements =
      within === undefined
        ? [{ from: record.id, properties: record.body.properties }]
        : objectsAt(record.body, "properties", within).map((each) => ({
            from: textAt(each, "id") ?? record.id,
            properties: each.properties,
          }));
    return elements.flatMap(({ from, properties }) =>
      idsAt(properties, path, member).map((target) => ({ from, holder: record.id, target, soft })),
    );
  });
}

/**
 * `member` of the object at `path`, or of each object of an array there. `*` represents the entries of an
 * array.
 */
function idsAt(value: JsonValue | undefined, path: readonly string[], member: string): readonly string[] {
  const [name, ...rest] = path;
  if (Array.isArray(value) && (name === undefined || name === "*")) {
    return value.flatMap((each: JsonValue) => idsAt(each, rest, member));
  }
  if (name === undefined) return [textAt(value, member)].filter((id) => id !== undefined);
  return idsAt(at(value, name), rest, member);
}
