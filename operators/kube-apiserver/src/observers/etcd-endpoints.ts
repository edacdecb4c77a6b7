import { isDeepStrictEqual } from "node:util";
import { messageOf, stringsAt, valueAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { type ConfigObserver, configAt, configWith, mergeConfigs } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { argumentPath, withArguments } from "./arguments.ts";
import { hostEtcdUrls } from "./host-etcd.ts";
import { normal, objectInput, type Report, warning } from "./inputs.ts";
import { canonicalAddress, isReservedAddress, urlHost } from "./ip-address.ts";

const serversPath = argumentPath("etcd-servers");
/**
 * Configuration path of the etcd URLs in OpenShift before 4.6. The observer still uses this path in clusters that have the
 * Endpoints object `host-etcd` of these releases.
 */
const urlsPath = ["storageConfig", "urls"];
export const etcdEndpoints = { namespace: namespaces.etcd, name: "etcd-endpoints" };
const hostEtcd = { namespace: namespaces.kubeSystem, name: "host-etcd" };
const bootstrapAnnotation = "alpha.installer.openshift.io/etcd-bootstrap";
const localhost = "https://localhost:2379";

/** Observes the URLs of the etcd members. The member on the API server's own node is always included. */
export const observeEtcdEndpoints: ConfigObserver = {
  name: "ObserveStorageURLs",
  paths: [serversPath, urlsPath],
  inputs: [objectInput(resources.configMaps, etcdEndpoints), objectInput(resources.endpoints, hostEtcd)],
  observe({ objects, existing, report }) {
    const errors: string[] = [];
    const urls = urlsOfEndpoints(
      objects.find(resources.endpoints, hostEtcd),
      configAt(existing, urlsPath),
      errors,
    );
    const before = stringsAt(configAt(existing, serversPath));
    const configMap = objects.find(resources.configMaps, etcdEndpoints);
    const servers = configMap ? serversOf(configMap, errors, report) : before.length > 0 ? before : urls;
    if (!configMap) {
      const message = 'configmap "etcd-endpoints" not found';
      errors.push(message);
      report(
        warning("ObserveStorageFailed", `Error getting openshift-etcd/etcd-endpoints configmap: ${message}`),
      );
    }
    if (configMap && !isDeepStrictEqual(before, servers))
      report(normal("ObserveStorageUpdated", `Updated storage urls to ${servers.join(",")}`));
    return {
      config: mergeConfigs([
        withArguments({ "etcd-servers": servers.length > 0 ? servers : undefined }),
        urls.length > 0 ? configWith(urlsPath, urls) : {},
      ]),
      errors,
    };
  },
};

/** Returns the URLs in the Endpoints. Returns the previous URLs if the object is missing or invalid. */
function urlsOfEndpoints(
  endpoints: KubeObject | undefined,
  before: unknown,
  errors: string[],
): readonly string[] {
  if (!endpoints) return stringsAt(before);
  try {
    return hostEtcdUrls(endpoints);
  } catch (error) {
    errors.push(messageOf(error));
    return stringsAt(before);
  }
}

function serversOf(configMap: KubeObject, errors: string[], report: Report): readonly string[] {
  const bootstrap = configMap.metadata.annotations?.[bootstrapAnnotation];
  const addresses = [
    ...Object.values(valueAt(configMap, "data") ?? {}),
    ...(bootstrap === undefined ? [] : [bootstrap]),
  ];
  const servers = new Set<string>();
  for (const text of addresses) {
    const address = typeof text === "string" ? canonicalAddress(text) : undefined;
    if (address === undefined)
      errors.push(
        `configmaps/etcd-endpoints in the openshift-etcd namespace: ${text} is not a valid IP address`,
      );
    else if (isReservedAddress(address))
      errors.push(
        `configmap openshift-etcd/etcd-endpoints: address ${address} is reserved and not supported`,
      );
    else servers.add(`https://${urlHost(address)}:2379`);
  }
  if (servers.size === 0) {
    const message = "configmaps openshift-etcd/etcd-endpoints: no etcd endpoint addresses found";
    report(warning("ObserveStorageFailed", message));
    errors.push(message);
  }
  return [...servers, localhost].sort();
}
