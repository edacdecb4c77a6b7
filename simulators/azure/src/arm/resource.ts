import type { JsonObject } from "@keelson/base";

/**
 * Stored resource. `body` is the client's body with defaults. Properties that depend on other resources are added when the
 * resource is read.
 */
export interface ResourceRecord {
  /** Resource ID in the case that the creator used. */
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

/** Reference from a resource or one of its array elements to a different resource or element. */
export interface Reference {
  /** ID of the array element, or of the resource itself, that contains the reference. */
  readonly from: string;
  /** ID of the referencing resource. */
  readonly holder: string;
  readonly target: string;
  /** True if the target may be deleted despite the reference. */
  readonly soft: boolean;
}
