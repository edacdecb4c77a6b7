import type { Server } from "node:https";
import type { AddressInfo, Server as NetServer } from "node:net";
import { closeHttpServer } from "@keelson/http";
import { errors } from "./errors.ts";
import type { Http2Connections } from "./http/http2-connections.ts";

export const drainMs = 1_000;

export interface Listener {
  readonly server: Server;
  readonly http2: Http2Connections;
}

export function portOf({ server }: Listener): number | undefined {
  const address = server.address();
  return isAddressInfo(address) ? address.port : undefined;
}

export async function closeListener({ server, http2 }: Listener): Promise<void> {
  const closed = closeHttpServer(server, drainMs);
  http2[Symbol.dispose]();
  await closed;
}

export function listenOn(server: NetServer, host: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", (error) => {
    const taken = "code" in error && error.code === "EADDRINUSE";
    reject(
      taken
        ? errors.PortTaken(`port ${port} of ${host} is in use by a different program`, { cause: error })
        : error,
    );
  });
  server.listen(port, host, resolve);
  return promise;
}

function isAddressInfo(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === "object" && address !== null;
}
