/** What a request is about, as authorization rules name it. */
export type Attributes = ResourceAttributes | PathAttributes;

export interface ResourceAttributes {
  readonly kind: "resource";
  readonly verb: string;
  readonly group: string;
  /** With its subresource: `pods/log`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

interface PathAttributes {
  readonly kind: "path";
  readonly verb: string;
  readonly path: string;
}
