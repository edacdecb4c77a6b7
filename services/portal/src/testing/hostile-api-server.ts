import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificateAuthority, issueCertificate, Secret } from "@keelson/base";
import { createKubeconfig } from "@keelson/kube";

/** Path that a script from the cluster requests if a browser runs the script. */
export const lootPath = "/loot";

/** String that a browser or a terminal would execute if the portal did not escape it. */
export const attack = `<img src=x onerror="fetch('${lootPath}')"><script>fetch("${lootPath}")</script>\u001b]0;x\u0007\u202e\u0000\u009b2J`;
/** Attack without slashes and percent signs, so that the client accepts it as the name of an object. */
const nameAttack = `<img src=x onerror="fetch('loot')"><b onclick=x>\u202e`;
const link = `javascript:fetch("${lootPath}")`;

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** Kinds of hostile API servers. */
export const hostileKinds = {
  /** Responds with a page and its script instead of JSON. */
  html: (_, response) => {
    response.setHeader("content-type", "text/html");
    response.setHeader("set-cookie", "__Host-portal-session=stolen");
    response.end(`<!doctype html><title>x</title>${attack}`);
  },
  /** Responds with valid objects in which every string is an attack. */
  strings: (request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    if (path.endsWith("/log")) {
      response.setHeader("content-type", "text/plain");
      response.end(`${attack}\r\n`.repeat(2_000) + attack.repeat(20_000));
      return;
    }
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(valueAt(path)));
  },
  /** Responds with objects of 12 MiB. */
  large: (_, response) => {
    const filler = "<b>".repeat(4 * 2 ** 20);
    const annotations = { filler };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(list([{ ...object(0), metadata: { name: "a", annotations } }])));
  },
  /** Responds with JSON that is nested 200,000 levels deep. */
  deep: (_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(`{"kind":"List","items":${"[".repeat(200_000)}${"]".repeat(200_000)}}`);
  },
  /** Never ends its response. */
  endless: (_, response) => {
    response.setHeader("content-type", "application/json");
    response.write('{"kind":"List","metadata":{},"items":[{"metadata":{"name":"a"}}');
    const part = Buffer.from(`,{"metadata":{"name":"${"a".repeat(200)}"}}`.repeat(300));
    const write = () => {
      while (!response.destroyed) if (!response.write(part)) return;
    };
    response.on("drain", write);
    write();
  },
  /** Responds with bytes that are not UTF-8, and with wrong types. */
  bytes: (_, response) => {
    response.setHeader("content-type", "application/json");
    response.end(
      Buffer.concat([Buffer.from('{"items":["'), Buffer.from([0xff, 0xfe, 0, 0x1b]), Buffer.from('"]}')]),
    );
  },
} as const satisfies Readonly<Record<string, Respond>>;
export type HostileKind = keyof typeof hostileKinds;

export interface HostileApiServer extends AsyncDisposable {
  readonly kubeconfigs: { readonly aroServiceKubeconfig: Secret; readonly aroSREKubeconfig: Secret };
  /** Number of received requests. */
  readonly count: () => number;
}

/** Starts an API server that attacks the programs that read its responses. */
export async function startHostileApiServer(kind: HostileKind): Promise<HostileApiServer> {
  const authority = await createCertificateAuthority("hostile", 1);
  const pair = await issueCertificate(authority, {
    ...{ commonName: "localhost", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] },
    ...{ usage: "server", validDays: 1 },
  });
  let count = 0;
  const server = createServer({ cert: pair.certificatePem, key: pair.privateKeyPem }, (request, response) => {
    count++;
    hostileKinds[kind](request, response);
  });
  server.on("upgrade", (_, socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n<script>"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const kubeconfig = createKubeconfig({
    server: `https://localhost:${(server.address() as AddressInfo).port}`,
    caPem: authority.certificatePem,
    ...{ clusterName: "c", userName: "u", token: "t" },
  });
  return {
    kubeconfigs: { aroServiceKubeconfig: new Secret(kubeconfig), aroSREKubeconfig: new Secret(kubeconfig) },
    count: () => count,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function valueAt(path: string): unknown {
  if (path === "/apis") {
    const version = { groupVersion: "apps/v1", version: "v1" };
    return {
      kind: "APIGroupList",
      groups: [{ name: "apps", versions: [version], preferredVersion: version }],
    };
  }
  if (path === "/api/v1" || /^\/apis\/[^/]+\/[^/]+$/.test(path)) {
    const resources = [{ name: "pods", singularName: "pod", kind: "Pod", namespaced: true, verbs: ["get"] }];
    return { kind: "APIResourceList", groupVersion: "v1", resources };
  }
  const isOne = /\/namespaces\/[^/]+\/[^/]+\/[^/]+$/.test(path);
  return isOne ? object(0) : list(Array.from({ length: 40 }, (_, at) => object(at)));
}

function list(items: readonly object[]): object {
  return { apiVersion: "v1", kind: "List", metadata: { resourceVersion: "1" }, items };
}

/** Object that has the fields of every kind that the pages show. */
function object(at: number): object {
  const condition = {
    ...{ type: attack, status: "True", reason: attack, message: attack },
    ...{ lastTransitionTime: attack, lastHeartbeatTime: attack },
  };
  const container = {
    name: attack,
    image: attack,
    state: { waiting: { reason: attack } },
    restartCount: 1e308,
  };
  const strings = JSON.parse(`{"__proto__":${JSON.stringify(attack)},"constructor":"x"}`);
  return {
    apiVersion: "v1",
    kind: attack,
    metadata: {
      ...{ name: `${nameAttack}${at}`, namespace: "openshift-etcd", uid: `${at}`, creationTimestamp: attack },
      labels: { ...strings, [attack]: attack, [`node-role.kubernetes.io/${attack}`]: "" },
      annotations: { [attack]: attack, link },
    },
    spec: {
      ...{ nodeName: attack, unschedulable: attack, replicas: -1, group: attack, scope: "Namespaced" },
      taints: [{ key: attack, value: attack, effect: attack, timeAdded: attack }],
      containers: [container],
      initContainers: [container],
      names: { kind: attack },
      versions: [{ name: attack, served: true }],
      providerSpec: { value: { vmSize: attack, subnet: attack } },
      template: { spec: { providerSpec: { value: { publicLoadBalancer: attack, vmSize: attack } } } },
    },
    status: {
      ...{ phase: attack, replicas: 1e308, errorReason: attack, errorMessage: attack, lastUpdated: attack },
      conditions: [condition, { ...condition, type: "Ready" }, { ...condition, type: "Degraded" }],
      containerStatuses: [container],
      initContainerStatuses: [container],
      capacity: { cpu: attack, memory: "133682156Ki", pods: attack, "ephemeral-storage": attack },
      allocatable: { cpu: attack, memory: attack },
      volumesAttached: [{ name: attack, devicePath: link }],
      nodeInfo: { kubeletVersion: attack, osImage: attack },
      addresses: [{ type: "InternalIP", address: attack }],
      versions: [{ name: attack, version: attack }],
    },
    ...{ type: attack, reason: attack, message: attack, count: -5, lastTimestamp: attack },
    involvedObject: { kind: attack, name: attack },
    usage: { cpu: attack, memory: attack },
    data: { [attack]: attack, url: link },
  };
}
