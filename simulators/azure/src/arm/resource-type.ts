import type { JsonObject, JsonValue } from "@keelson/base";
import { at, objectsAt, textAt } from "../base/json.ts";
import type { ArmError } from "./arm-error.ts";
import type { ArmRequest, ArmResponse } from "./exchange.ts";
import type { ProviderView } from "./provider.ts";
import type { Reference, ResourceRecord } from "./resource.ts";
import type { Subscription } from "./subscription.ts";
import type { Range } from "./timings.ts";

/** What a client wants a resource to be, on its way into the subscription. */
export interface Draft {
  readonly id: string;
  readonly name: string;
  readonly body: JsonObject;
  readonly existing: ResourceRecord | undefined;
  /** Object ID of the principal that writes it. Default: the simulation writes it. */
  readonly callerId?: string;
  readonly apiVersion?: string;
}

/** Order of the fields of a resource as clients see it. Other fields follow. */
export interface FieldOrder {
  readonly top: readonly string[];
  readonly properties?: readonly string[];
}

/** Entries of an array in `properties` that have IDs and can be called on their own, as subnets can. */
export interface ElementType {
  /** The service writes them, clients only read. */
  readonly fixed?: true;
  readonly order?: FieldOrder;
  /** Duration of the write of an entry by its own ID. Default: 0. */
  readonly duration?: (subscription: Subscription) => Range;
  /** Members of an entry's `properties` that the service adds and clients send back. */
  readonly readOnly?: readonly string[];
  /** Why an entry cannot go while others refer to it; without it, it can. */
  inUse?(id: string, by: readonly Reference[]): ArmError;
  /** The entry as clients see it, with what other resources add to it. */
  render?(element: JsonObject, subscription: Subscription): JsonObject;
  readonly actions?: Readonly<Record<string, ElementAction>>;
}

interface ElementAction {
  readonly method: "GET" | "POST";
  run(element: JsonObject, request: ArmRequest, subscription: Subscription): ArmResponse;
}

/** Where a type keeps IDs of other resources: in `properties`, or in those of each entry of `within`; `*` in `path`
 * stands for the entries of an array on the way. */
interface ReferencePath {
  readonly within?: string;
  readonly path: readonly string[];
  /** The member at the path's end that has the ID: `id` when absent. */
  readonly member?: string;
  readonly soft?: boolean;
}

export interface ResourceAction {
  readonly method: "GET" | "POST";
  run(record: ResourceRecord, request: ArmRequest, subscription: Subscription): ArmResponse;
}

/** A name that only one resource in the whole of Azure can have. */
interface GlobalName {
  /** The error for a name that a resource has. */
  taken(name: string, by: ResourceRecord): ArmError;
  /** Why a name that no resource has cannot be had all the same. */
  held?(name: string, id: string | undefined, subscription: Subscription): ArmError | undefined;
  /** The rules of names in words, and the reason that stands for a name against them. */
  readonly rules: string;
  readonly invalid: string;
}

/** The statuses of writes and deletions. Clients refuse those that the documents of a type do not list. */
interface Statuses {
  /** Created at once; 201 when absent. */
  readonly created?: 200;
  /** To be created; that of `created` when absent. */
  readonly creating?: 202;
  /** Replaced; 200 when absent. */
  readonly replaced?: 201;
  /** Deleted at once; 200 when absent. */
  readonly deleted?: 204;
}

/** Everything the simulation knows about one resource type. The generic rules of ARM live elsewhere, once. */
export interface ResourceType {
  readonly namespace: string;
  /** `virtualNetworks`, or `dnsZones/A` for a child that is a resource of its own. */
  readonly type: string;
  /** `any`: the type extends whatever scope it is written under. */
  readonly scope: "resourceGroup" | "any";
  readonly location: "regional" | "global" | "none";
  /** How the etag stands in the body: `W/"..."`, bare, or not at all. */
  readonly etag: "weak" | "plain" | "none";
  /** False: the etag is in the body only. Default: true. */
  readonly etagHeader?: false;
  readonly order?: FieldOrder;
  readonly names: RegExp;
  readonly globalName?: GlobalName;
  /** The member of `properties` by which `Resources.lookedUp` finds resources of the type; the name where it is global. */
  readonly lookup?: string;
  /** Whether `properties.provisioningState` is shown; it is unless this is false. */
  readonly provisioningState?: false;
  /** Provisioning state during the creation. Default: `Creating`. */
  readonly creatingState?: "Updating";
  /** The response to a creation has the resource's path in the header `Location`. */
  readonly namesCreated?: true;
  /** Where the answers of the service differ from those of most others. */
  readonly statuses?: Statuses;
  /** A deletion answers with what was deleted. */
  readonly showsDeleted?: true;
  /** Members of `properties` that the service adds and clients send back. */
  readonly readOnly?: readonly string[];
  readonly elements?: Readonly<Record<string, ElementType>>;
  readonly references?: readonly ReferencePath[];
  /** Durations of a creation, an update and a deletion. Default: 0 ms. */
  readonly duration?: {
    readonly create?: (subscription: Subscription) => Range;
    readonly update?: (subscription: Subscription) => Range;
    readonly delete?: (subscription: Subscription) => Range;
  };
  /** Time until a write is answered. Default: that of all writes. */
  latency?(request: ArmRequest, subscription: Subscription): Range | undefined;
  readonly actions?: Readonly<Record<string, ResourceAction>>;
  /** By the types of their paths, `locations/deletedVaults/purge`. */
  readonly views?: Readonly<Record<string, ProviderView>>;
  /** Checks a draft and completes it. @throws ArmError */
  prepare(
    draft: Draft,
    subscription: Subscription,
  ): Pick<ResourceRecord, "body"> & { readonly hidden?: JsonObject };
  /** Runs in the transaction that created the resource. */
  created?(record: ResourceRecord, subscription: Subscription): void;
  /** Runs when a creation or an action that takes time is over. */
  settled?(record: ResourceRecord, action: string, subscription: Subscription): ResourceRecord;
  /** Runs in the transaction that removed the resource. */
  removed?(record: ResourceRecord, subscription: Subscription): void;
  inUse?(record: ResourceRecord, by: readonly Reference[]): ArmError;
  /** Refuses a deletion that no reference stands against. @throws ArmError */
  checkDelete?(record: ResourceRecord, subscription: Subscription): void;
  render?(record: ResourceRecord, subscription: Subscription, request?: ArmRequest): JsonObject;
  /** Where resources of the type are kept, whatever scope they are called under. */
  home?(subscription: Subscription): string;
  /** Replaces the usual listing of the resources right below `scope`. */
  list?(scope: string, request: ArmRequest, subscription: Subscription): readonly ResourceRecord[];
}

/** The references that a type's paths find in a resource. */
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

/** The `member` of the object at `path`, or of each object of an array there; `*` stands for the entries of an array. */
function idsAt(value: JsonValue | undefined, path: readonly string[], member: string): readonly string[] {
  const [name, ...rest] = path;
  if (Array.isArray(value) && (name === undefined || name === "*")) {
    return value.flatMap((each: JsonValue) => idsAt(each, rest, member));
  }
  if (name === undefined) return [textAt(value, member)].filter((id) => id !== undefined);
  return idsAt(at(value, name), rest, member);
}
