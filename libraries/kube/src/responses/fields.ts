/**
 * Selects fields of a JSON value. `true` keeps the complete value and `false` removes it. A selection object keeps only the
 * fields with the names of its properties. Each property value is the selection for that field. The selection for an array
 * applies to each element of the array.
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
