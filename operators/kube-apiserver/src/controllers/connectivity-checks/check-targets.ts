import { isPlainObject, listAt, messageOf, numberAt, stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { namespaces } from "../../config/namespaces.ts";

/** Objects from which the connection targets are computed. */
export interface CheckInputs {
  readonly observedConfig: unknown;
  readonly nodes: readonly KubeObject[];
  /** Service and Endpoints `api` in namespace `openshift-apiserver`. */
  readonly service: KubeObject | undefined;
  readonly endpoints: KubeObject | undefined;
  readonly infrastructure: KubeObject | undefined;
}

export interface CheckTarget {
  /** Name of the target in the check's name, for example `etcd-server-master-0`. */
  readonly name: string;
  /** `10.0.0.7:2379`. */
  readonly endpoint: string;
  /** Secret with the client certificate that the target requires. */
  readonly clientSecret?: string;
}

export interface CheckTargets {
  readonly targets: readonly CheckTarget[];
  /** Reasons why some targets cannot be determined. All known targets are checked. */
  readonly problems: readonly string[];
}

export function checkTargets(inputs: CheckInputs): CheckTargets {
  const problems: string[] = [];
  const attempt = (what: string, find: () => readonly CheckTarget[]): readonly CheckTarget[] => {
    try {
      return find();
    } catch (error) {
      problems.push(`error detecting ${what}: ${messageOf(error)}`);
      return [];
    }
  };
  const targets = [
    ...etcdTargets(inputs, problems),
    ...attempt("openshift-apiserver service", () => serviceTarget(inputs)),
    ...attempt("openshift-apiserver service endpoints", () => endpointTargets(inputs)),
    ...attempt("api load balancer endpoints", () => loadBalancerTargets(inputs)),
  ];
  return { targets, problems };
}

/** Returns the check of one target. The check runs from the API server of one master. */
export function connectivityCheck(master: string, { name, endpoint, clientSecret }: CheckTarget) {
  const sourcePod = `kube-apiserver-${master}`;
  return {
    metadata: { namespace: namespaces.target, name: `${sourcePod}-to-${name}` },
    spec: {
      sourcePod,
      targetEndpoint: endpoint,
      tlsClientCert: { name: clientSecret ?? "" },
    },
  };
}

function etcdTargets({ observedConfig, nodes }: CheckInputs, problems: string[]): readonly CheckTarget[] {
  return listAt(observedConfig, "apiServerArguments", "etcd-servers").flatMap((text) => {
    const url = typeof text === "string" ? URL.parse(text) : null;
    if (!url) {
      problems.push(`couldn't parse an etcd server url from observedConfig: ${JSON.stringify(text)}`);
      return [];
    }
    const node = nodeOf(url.hostname.replace(/^\[(.*)\]$/, "$1"), nodes);
    if (node === undefined) {
      problems.push(
        `unable to determine node for etcd server: no node found with internal IP ${url.hostname}`,
      );
      return [];
    }
    return [{ name: `etcd-server-${node}`, endpoint: url.host, clientSecret: "etcd-client" }];
  });
}

function nodeOf(address: string, nodes: readonly KubeObject[]): string | undefined {
  if (["localhost", "127.0.0.1", "::1"].includes(address)) return "localhost";
  return nodes.find((node) =>
    listAt(node, "status", "addresses").some(
      (each) => stringAt(each, "type") === "InternalIP" && stringAt(each, "address") === address,
    ),
  )?.metadata.name;
}

function serviceTarget({ service }: CheckInputs): readonly CheckTarget[] {
  const address = stringAt(service, "spec", "clusterIP");
  if (!address) throw new Error('service "api" not found');
  const found = listAt(service, "spec", "ports").find((port) => Number(valueAt(port, "targetPort")) === 6443);
  const endpoint = hostPort(address, numberAt(found, "port") ?? 443);
  return [{ name: "openshift-apiserver-service-cluster", endpoint }];
}

function endpointTargets({ endpoints }: CheckInputs): readonly CheckTarget[] {
  const subset = listAt(endpoints, "subsets")[0];
  const port = numberAt(listAt(subset, "ports")[0], "port");
  if (port === undefined) throw new Error("no openshift-apiserver api endpoints found");
  return listAt(subset, "addresses").flatMap((each) => {
    const [ip, node] = [stringAt(each, "ip"), stringAt(each, "nodeName")];
    return ip === undefined || node === undefined
      ? []
      : [{ name: `openshift-apiserver-endpoint-${node}`, endpoint: hostPort(ip, port) }];
  });
}

function loadBalancerTargets({ infrastructure }: CheckInputs): readonly CheckTarget[] {
  return (
    [
      ["api-external", "apiServerURL"],
      ["api-internal", "apiServerInternalURI"],
    ] as const
  ).map(([name, member]) => {
    const text = stringAt(infrastructure, "status", member) ?? "";
    const url = URL.parse(text);
    if (!url?.host)
      throw new Error(
        `infrastructure/cluster: status.${member} ${JSON.stringify(text)} is not a URL with a host`,
      );
    // A URL may omit the default port of its scheme, but a connection needs it.
    return { name: `load-balancer-${name}`, endpoint: url.port === "" ? `${url.host}:443` : url.host };
  });
}

function hostPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** True if `operator.enableConnectivityCheckController` in the overrides enables the checks. */
export function asksForChecks(overrides: unknown): boolean {
  return (
    isPlainObject(overrides) &&
    stringAt(overrides, "operator", "enableConnectivityCheckController") === "True"
  );
}
