const services: Readonly<Record<string, string>> = {
  sim: "simulation",
  metadata: "metadata",
  identity: "identity",
  "v1.0": "graph",
  beta: "graph",
  vaults: "vault",
  blobs: "storage",
  web: "storage",
  bootdiagnostics: "storage",
  subscriptions: "arm",
  providers: "arm",
  tenants: "arm",
};

/** Service of a path. Paths of Entra ID begin with a tenant. */
export function serviceOf([first = ""]: readonly string[]): string {
  const name = first.toLowerCase();
  return Object.hasOwn(services, name) ? (services[name] ?? "entra") : "entra";
}
