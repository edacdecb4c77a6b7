import type { Socket } from "node:net";
import { type Logger, messageOf } from "@keelson/base";
import { readClientHello } from "@keelson/http";
import { type Connections, httpsPort } from "./connections.ts";
import type { GatewayMetrics } from "./gateway-metrics.ts";
import { firstBytes } from "./tunnel/first-bytes.ts";

export interface TlsEntranceOptions {
  readonly connections: Connections;
  readonly metrics: GatewayMetrics;
  readonly logger: Logger;
}

/**
 * Forwards a TLS connection without decryption. The TLS server name determines the destination host. Rejected connections are
 * closed without a response.
 */
export async function enterByTls(client: Socket, options: TlsEntranceOptions): Promise<void> {
  const { connections, logger } = options;
  try {
    const linkId = await connections.linkOf(client);
    const host = await serverNameOf(client, linkId, options);
    if (host === undefined) return;
    const request = { protocol: "https", client, linkId, host, port: httpsPort } as const;
    const outcome = await connections.open(request);
    if (outcome.kind === "connected") await connections.carry(request, outcome);
  } catch (error) {
    logger.debug({ reason: messageOf(error) }, "a connection was closed");
  } finally {
    client.destroy();
  }
}

/** Returns the server name. If the client sends no server name, counts the connection in a metric and returns undefined. */
async function serverNameOf(
  client: Socket,
  linkId: string | undefined,
  { connections, metrics, logger }: TlsEntranceOptions,
): Promise<string | undefined> {
  const { name } = await firstBytes(client, (data) => {
    const hello = readClientHello(data);
    if (hello.kind === "malformed") throw new Error(`it is no TLS: ${hello.reason}`);
    return hello.kind === "complete" ? { taken: 0, name: hello.name } : undefined;
  });
  if (name !== undefined) return name;
  const known = connections.recordOf(linkId);
  metrics.noHost.inc({ linkid: known && linkId ? linkId : "unknown", action: "denied" });
  metrics.connections.inc({ protocol: "https", action: "denied" });
  logger.info(
    { linkId, resourceId: known?.id, reason: "the client names no host" },
    "a connection was refused",
  );
  return undefined;
}
