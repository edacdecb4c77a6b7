import type { JsonObject } from "@keelson/base";

/**
 * Stored resource. `body` is the client's body with defaults. Properties that depend on other resources are
 * added by reads.
 */
export interface ResourceRecord {
  /** ID in the case of its creation. */
  readonly id: string;
  readonly name: string;
  /** `Microsoft.Network/virtualNetworks` */
  readonly type: string;
  readonly etag: string;
  readonly createdAt: string;
  readonly changedAt: string;
  /** Properties other than id, name, type and etag: location, tags, sku, properties ... */
  readonly body: JsonObject;
  /** Values that clients cannot read: secrets and simulation state. */
  readonly hidden: JsonObject;
}

/** Reference from an element of a resource to another resource or its element. */
export interface Reference {
  /** ID of the element, or of the resource itself. */
  readonly from: string;
  /** ID of the resource with the element. */
  readonly holder: string;
  readonly target: string;
  /** True if the reference does not prevent the deletion of its target. */
  readonly soft: boolean;
}
