/**
 * Fields of a JSON value that a reader needs. `true` keeps the value as a whole, `false` removes it. An object selects fields by
 * name, and "*" all fields that it does not name. The selection of an array applies to each of its elements.
 */
export type Fields = boolean | { readonly [name: string]: Fields };

/** The fields that identify an object, with those of `more`. */
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

/** Whole objects without the list of the managers of their fields, which is a third of their size. */
export const withoutManagedFields: Fields = { "*": true, metadata: { "*": true, managedFields: false } };
