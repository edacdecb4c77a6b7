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
   * Returns the addresses in `openshift-etcd/etcd-endpoints`. `undefined` if one etcd member is sufficient. It is called after
   * all other checks.
   */
  readonly etcdAddresses: () => readonly string[] | undefined;
}

/**
 * Returns the first missing prerequisite of an API server configuration. Without certificates an API server cannot serve. An API
 * server that uses only the bootstrap machine's etcd would fail together with that machine.
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

/**
 * Returns a message if etcd members are missing. Localhost and the bootstrap machine are ignored, because they are not members of
 * the cluster's etcd.
 */
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
