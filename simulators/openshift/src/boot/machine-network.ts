import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { isIP } from "node:net";
import { messageOf } from "@keelson/base";
import { errors } from "../base/errors.ts";
import type { HypervisorEndpoint } from "../hypervisor/stream.ts";
import { type FetchRequest, type FetchResource, shownUrl } from "../ignition/apply-ignition.ts";

/** Port of machine config servers. */
const machineConfigPort = "22623";
const azureSuffixes = [".blob.core.windows.net"];
const silenceMs = 30_000;

/** Serves `GET /config/{pool}` of a cluster's machine config server. */
export type ServeMachineConfig = (request: FetchRequest) => Promise<Buffer>;

/**
 * Network of a machine before it joins a cluster. The machine can reach only the simulated Azure and its cluster's machine config
 * server. The names of all other hosts cannot be resolved.
 */
export function machineNetwork(
  cloud: Pick<HypervisorEndpoint, "url" | "caPem">,
  serveMachineConfig?: ServeMachineConfig,
): FetchResource {
  return async (asked) => {
    const { url } = asked;
    if (url.port === machineConfigPort) {
      if (serveMachineConfig) return serveMachineConfig(asked);
      throw unavailable(asked, `dial tcp ${url.host}: connect: connection refused`);
    }
    if (isCloud(url, new URL(cloud.url))) return fetchFromCloud(cloud, asked);
    throw unavailable(asked, `dial tcp: lookup ${url.hostname}: no such host`);
  };
}

export function unavailable({ url }: Pick<FetchRequest, "url">, reason: string): Error {
  return errors.IgnitionUnavailable(`GET ${shownUrl(url)}: ${reason}`);
}

function isCloud(url: URL, cloud: URL): boolean {
  const isAzure = azureSuffixes.some((suffix) => url.hostname.endsWith(suffix));
  return (isAzure && url.port === "") || (url.port === cloud.port && isLoopback(url) && isLoopback(cloud));
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname.startsWith("127.") || hostname === "[::1]";
}

/**
 * Sends a request to the listener of the simulated Azure. Azure routes the request by its Host header. The certificate contains
 * only the listener's address, so it is verified for this address.
 */
async function fetchFromCloud(
  cloud: Pick<HypervisorEndpoint, "url" | "caPem">,
  asked: FetchRequest,
): Promise<Buffer> {
  const { url, headers, signal } = asked;
  const { hostname, port } = new URL(cloud.url);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request({
    hostname,
    port,
    // Without `servername`, TLS would verify the certificate for the name in the Host header.
    servername: isIP(hostname) ? "" : hostname,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host },
    ca: cloud.caPem,
    agent: false,
    timeout: silenceMs,
    signal,
  });
  outgoing.on("timeout", () => outgoing.destroy(new Error("no response")));
  outgoing.on("error", reject);
  outgoing.on("response", resolve);
  outgoing.end();
  try {
    return await bodyOf(await promise, asked);
  } catch (cause) {
    signal.throwIfAborted();
    throw unavailable(asked, messageOf(cause));
  }
}

async function bodyOf(response: IncomingMessage, { maxBytes }: FetchRequest): Promise<Buffer> {
  if (response.statusCode !== 200) {
    const code = response.headers["x-ms-error-code"];
    response.destroy();
    throw new Error(`HTTP status ${response.statusCode}${typeof code === "string" ? ` ${code}` : ""}`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > maxBytes) throw new Error("the content is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
