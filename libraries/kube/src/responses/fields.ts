/**
 * Selects fields of a JSON value. `true` keeps the complete value and `false` removes it. An object as the selection keeps only
 * the fields that the object names. The selection for an array applies to each of its elements.
 */
export type Fields = boolean | { readonly [name: string]: Fields };

/** Returns the selection `more`, extended by the fields that identify an object. */
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
