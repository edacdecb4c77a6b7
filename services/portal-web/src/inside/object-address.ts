/** Kubernetes object. Without a name, it is a list of objects. The URL of the page Resources contains these fields. */
export interface ObjectAddress {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Returns the URL parameters of an object. Empty values are omitted. */
export function objectSearch(address: ObjectAddress): URLSearchParams {
  return new URLSearchParams(Object.entries(address).filter(([, value]) => value !== ""));
}

export function readObjectAddress(search: URLSearchParams): ObjectAddress {
  const [kind = "", namespace = "", name = ""] = ["kind", "namespace", "name"].map(
    (each) => search.get(each) ?? "",
  );
  return { kind, namespace, name };
}
