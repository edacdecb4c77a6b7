/**
 * Fields of a JSON value that a reader needs. `true` keeps the complete value, `false` removes it, and an
 * object keeps the fields that it names. The selection of an array applies to each of its elements.
 */
export type Fields = boolean | { readonly [name: string]: Fields };

/** Returns the fields that identify an object, and those of `more`. */
export function objectFields(more: { readonly [name: string]: Fields }): Fields {
  const { metadata = {}, ...rest } = more;
  const identity = { name: true, namespace: true };
  return {
    apiVersion: true,
    kind: true,
    metadata: typeof metadata === "boolean" ? metadata : { ...identity, ...metadata },
    ...rest,
  };
}
