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
   * Returns the addresses in `openshift-etcd/etcd-endpoints`, or `undefined` if one etcd member is sufficient. The function is
   * called after all other checks.
   */
  readonly etcdAddresses: () => readonly string[] | undefined;
}

/**
 * Returns the first missing prerequisite of an API server configuration. Without certificates, an API server cannot serve.
 * Without etcd members on masters, an API server would fail together with the bootstrap machine.
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
 * Returns a message if etcd members are missing. The addresses of localhost and the bootstrap machine do not count, because they
 * do not belong to the cluster's etcd.
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
