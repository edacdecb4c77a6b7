/** Attributes of a request for authorization. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly kind: "resource";
  readonly verb: string;
  readonly group: string;
  /** Resource, followed by the subresource if there is one. An example is `pods/log`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

interface PathAttributes {
  readonly kind: "path";
  readonly verb: string;
  readonly path: string;
}
