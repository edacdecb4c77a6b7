/** An object, or a list of objects without a name, as the address of the page Resources has it. */
export interface ObjectAddress {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Returns the parameters of an address. Empty values are left out. */
export function objectSearch(address: ObjectAddress): URLSearchParams {
  return new URLSearchParams(Object.entries(address).filter(([, value]) => value !== ""));
}

export function readObjectAddress(search: URLSearchParams): ObjectAddress {
  const [kind = "", namespace = "", name = ""] = ["kind", "namespace", "name"].map(
    (each) => search.get(each) ?? "",
  );
  return { kind, namespace, name };
}
