import type { JsonObject } from "@keelson/base";

/** A resource as it is kept. `body` is what clients wrote, completed; what depends on others is added on reading. */
export interface ResourceRecord {
  /** In the case in which it was created. */
  readonly id: string;
  readonly name: string;
  /** `Microsoft.Network/virtualNetworks` */
  readonly type: string;
  readonly etag: string;
  readonly createdAt: string;
  readonly changedAt: string;
  /** Wire members other than id, name, type and etag: location, tags, sku, properties ... */
  readonly body: JsonObject;
  /** What no client may read: secrets, state of the simulation. */
  readonly hidden: JsonObject;
}

/** An element of one resource that names another resource, or an element of one. */
export interface Reference {
  /** The ID of the element, or of the resource itself. */
  readonly from: string;
  /** The ID of the resource that holds the element. */
  readonly holder: string;
  readonly target: string;
  /** A soft reference does not keep its target from being deleted. */
  readonly soft: boolean;
}
