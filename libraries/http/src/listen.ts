import type { Server } from "node:net";

/** Listens on a host and port. Port 0 chooses a free port. Resolves to the port. Rejects if the address is not available. */
export async function listen(server: Server, host: string | undefined, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  return portOf(server);
}

/** Returns the port of a listening server. @throws Error if the server does not listen */
export function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server is not listening");
  return address.port;
}

/**
 * Returns the host name with which clients on this machine can reach a server that listens on `host`. The name is in the form for
 * URLs.
 */
export function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::" || host === "") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
