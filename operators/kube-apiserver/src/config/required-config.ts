import { isPlainObject, type JsonObject, valueAt } from "@keelson/base";

const requiredPaths: readonly (readonly string[])[] = [
  ["servingInfo", "namedCertificates"],
  ["apiServerArguments", "etcd-servers"],
  ["admission", "pluginConfig", "network.openshift.io/RestrictedEndpointsAdmission"],
];
const minLiveEndpoints = 2;

export interface RequiredConfig {
  readonly observed: unknown;
  /**
   * Addresses of `openshift-etcd/etcd-endpoints`, read last. `undefined` if one etcd member is sufficient.
   */
  readonly etcdAddresses: () => readonly string[] | undefined;
}

/**
 * Names the first missing prerequisite of an API server configuration. An API server without certificates
 * could not serve. One that uses only the etcd of the bootstrap machine would fail with that machine.
 */
export function missingConfig({ observed, etcdAddresses }: RequiredConfig): string | undefined {
  if (observed === undefined || observed === null) return "no observedConfig";
  if (!isPlainObject(observed)) return "error parsing config, observedConfig is not an object";
  for (const path of requiredPaths) {
    const name = path.join(".");
    const value = valueAt(observed, ...path);
    if (value === undefined) return `${name} missing from config`;
    if (value === null) return `${name} null in config`;
    if (value === "" || (Array.isArray(value) && value.length === 0)) return `${name} empty in config`;
  }
  const addresses = etcdAddresses();
  return addresses && missingEtcd(observed as JsonObject, addresses);
}

/** Ignores localhost and the bootstrap machine, which are not members of the cluster's etcd. */
function missingEtcd(observed: JsonObject, addresses: readonly string[]): string | undefined {
  const name = "apiServerArguments.etcd-servers";
  const servers = valueAt(observed, "apiServerArguments", "etcd-servers");
  if (!Array.isArray(servers)) return `${name} is not a slice`;
  if (!servers.every((url) => typeof url === "string")) return `${name} is not a string slice`;
  const live = servers.filter((url: string) => addresses.some((address) => url.includes(address)));
  return live.length < minLiveEndpoints
    ? `${name} has less than two live etcd endpoints: [${live.join(" ")}]`
    : undefined;
}
