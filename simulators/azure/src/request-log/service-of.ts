/** Service names by first path segment. */
const services: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
);

/** Returns the service to which a path belongs. The first segment of Entra ID paths is a tenant. */
export function serviceOf([first = ""]: readonly string[]): string {
  return services.get(first.toLowerCase()) ?? "entra";
}
