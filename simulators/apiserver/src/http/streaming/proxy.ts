import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { connect as connectTls } from "node:tls";
import { failures, type KubeObject, StatusError, scalarStringAt } from "@keelson/apimachinery";
import { listAt, messageOf, valueAt } from "@keelson/base";
import { getObject } from "../../registry/read.ts";
import { keyOf } from "../../resources/served-resource.ts";
import type { ResourceRequest } from "../resources/resource-request.ts";
import { kubeletOf, type OpenStream, openStream } from "./open-stream.ts";

/** Headers that are not forwarded. They are hop-by-hop headers (RFC 9110 section 7.6.1) or the client's credentials. */
const withheld = new Set([
  "authorization",
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** HTTP port in a pod. */
interface Destination {
  readonly pod: KubeObject;
  readonly port: number;
  readonly tls: boolean;
}

/**
 * Handles `/proxy/...` of `pods`, `services` and `nodes`: forwards an HTTP request to a pod or the kubelet. The proxy ignores
 * network addresses in the objects.
 */
export async function handleProxy(call: ResourceRequest): Promise<void> {
  const { request, info } = call;
  const search = request.incoming.url?.replace(/^[^?]*/, "") ?? "";
  if (info.below === "" && ["GET", "HEAD"].includes(request.method)) {
    const base = (request.incoming.url ?? "").replace(/\?.*/, "");
    request.response.writeHead(301, { location: `${base}/${search}` }).end();
    return;
  }
  const target = `${info.below || "/"}${search}`;
  if (info.resource === "nodes") return askNode(call, target);
  const destination = info.resource === "pods" ? podDestination(call) : serviceDestination(call);
  using stream = openStream({ ...call, info: { ...info, name: parseName(info.name ?? "").name } });
  const connection = await connectTo(call, destination, stream);
  await passOn(call, connection, target, stream);
}

interface ProxyName {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

/** Parses `name`, `name:port` or `scheme:name:port`. The port is a number or a port name. */
function parseName(text: string): ProxyName {
  const parts = text.split(":");
  const [first = "", second = "", third = ""] = parts;
  if (parts.length === 1) return { scheme: "", name: first, port: "" };
  if (parts.length === 2) return { scheme: "", name: first, port: second };
  if (parts.length === 3 && ["", "http", "https"].includes(first))
    return { scheme: first, name: second, port: third };
  throw failures.badRequest(`invalid proxy request ${JSON.stringify(text)}`);
}

function podDestination({ cluster, resource, info }: ResourceRequest): Destination {
  const { scheme, name, port } = parseName(info.name ?? "");
  const pod = getObject(cluster.context, resource, keyOf(info.namespace, name)).object;
  const first = listAt(pod.spec, "containers").flatMap((each) => listAt(each, "ports"))[0];
  return {
    pod,
    port: Number(port || scalarStringAt(first, "containerPort") || (scheme === "https" ? 443 : 80)),
    tls: scheme === "https",
  };
}

/**
 * Returns a ready pod of the service.
 * @throws StatusError 404, 503
 */
function serviceDestination({ cluster, resource, info }: ResourceRequest): Destination {
  const { scheme, name, port } = parseName(info.name ?? "");
  const { context } = cluster;
  const namespace = info.namespace ?? "";
  const service = getObject(context, resource, keyOf(namespace, name)).object;
  const ports = listAt(service.spec, "ports");
  const chosen = ports.find(
    (each) => port === scalarStringAt(each, "name") || port === scalarStringAt(each, "port"),
  );
  const wanted = chosen ?? (port === "" && ports.length === 1 ? ports[0] : undefined);
  if (!wanted)
    throw failures.unavailable(`no service port ${JSON.stringify(port)} found for service "${name}"`);
  const endpoints = context.store.get("/endpoints", keyOf(namespace, name))?.object;
  for (const subset of listAt(endpoints, "subsets")) {
    const target = listAt(subset, "ports").find(
      (each) => scalarStringAt(each, "name") === scalarStringAt(wanted, "name"),
    );
    const address = listAt(subset, "addresses").find(
      (each) => scalarStringAt(each, "targetRef", "kind") === "Pod",
    );
    const pod = address
      ? context.store.get("/pods", keyOf(namespace, scalarStringAt(address, "targetRef", "name")))
      : undefined;
    if (target && pod)
      return { pod: pod.object, port: Number(valueAt(target, "port")), tls: scheme === "https" };
  }
  throw new StatusError(503, "ServiceUnavailable", `no endpoints available for service "${name}"`);
}

async function connectTo(call: ResourceRequest, to: Destination, { signal }: OpenStream): Promise<Duplex> {
  const kubelet = kubeletOf(call);
  try {
    const socket = await kubelet.connect(to.pod, to.port, signal);
    // There are no certificates for pod names. Like kube-apiserver, the proxy does not verify the certificate.
    return to.tls ? connectTls({ socket, rejectUnauthorized: false }) : socket;
  } catch (error) {
    throw unreachable(error);
  }
}

function unreachable(error: unknown): StatusError {
  return new StatusError(503, "ServiceUnavailable", `error trying to reach service: ${messageOf(error)}`);
}

async function passOn(
  { request }: ResourceRequest,
  connection: Duplex,
  path: string,
  { signal }: OpenStream,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = httpRequest({
    // The request uses the existing connection to the pod. By default, an HTTP agent would open a connection to this machine.
    createConnection: () => connection,
    method: request.method,
    path,
    headers: { ...headersOf(request.incoming), connection: "close" },
    signal,
  });
  outgoing.once("response", resolve).on("error", reject);
  connection.on("error", reject);
  request.incoming.pipe(outgoing);
  let answer: IncomingMessage;
  try {
    answer = await promise;
  } catch (error) {
    connection.destroy();
    throw unreachable(error);
  }
  const { response } = request;
  response.writeHead(answer.statusCode ?? 502, headersOf(answer));
  await pipeline(answer, response).catch(() => response.destroy());
  connection.destroy();
}

async function askNode(call: ResourceRequest, path: string): Promise<void> {
  const { request, cluster, resource } = call;
  const kubelet = kubeletOf(call);
  const { name } = parseName(call.info.name ?? "");
  const node = getObject(cluster.context, resource, name).object;
  using stream = openStream({ ...call, info: { ...call.info, name } });
  const headers = Object.fromEntries(
    Object.entries(headersOf(request.incoming)).map(([key, value]) => [key, String(value)]),
  );
  const asked = { method: request.method, path, headers, body: request.incoming };
  const answer = await kubelet.askNode(node, asked, stream.signal);
  request.response.writeHead(answer.status, answer.headers);
  await pipeline(answer.body, request.response).catch(() => request.response.destroy());
}

function headersOf({ headers }: IncomingMessage): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || withheld.has(name) || name.startsWith("impersonate-") ? [] : [[name, value]],
    ),
  );
}
