import type { JsonObject } from "@keelson/base";

/**
 * Stored resource. `body` is the client's body with defaults. Properties that depend on other resources are added when the
 * resource is read.
 */
export interface ResourceRecord {
  /** Resource ID in the letter case of the create request. */
  readonly id: string;
  readonly name: string;
  /** Full type, for example `Microsoft.Network/virtualNetworks`. */
  readonly type: string;
  readonly etag: string;
  readonly createdAt: string;
  readonly changedAt: string;
  /** Properties other than ID, name, type and etag: location, tags, SKU, properties ... */
  readonly body: JsonObject;
  /** Values that clients cannot read: secrets and internal state of the simulation. */
  readonly hidden: JsonObject;
}

/**
 * Reference to a resource or array element. The reference is in a different resource, or in an array element of a different
 * resource.
 */
export interface Reference {
  /** ID of the array element that contains the reference. If the reference is not in an array element, ID of the resource. */
  readonly from: string;
  /** ID of the resource that contains the reference, directly or in an array element. */
  readonly holder: string;
  readonly target: string;
  /** True if the target may be deleted despite the reference. */
  readonly soft: boolean;
}
