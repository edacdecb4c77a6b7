import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { Duplex } from "node:stream";
import type { Secret } from "@keelson/base";
import type { ConnectMachine } from "@keelson/sim-azure";
import { machinePath } from "@keelson/sim-openshift/machine-path";

export interface ClustersAdmin {
  /** Administration ports of all processes that run simulated clusters. */
  readonly ports: readonly number[];
  readonly caPem: string;
  readonly token: Secret;
}

/**
 * Returns a function that opens connections from the simulated Azure's network to machines of the simulated clusters. The
 * connections go through the admin port of the process that runs the cluster.
 */
export function machineConnections({ ports, ...admin }: ClustersAdmin): ConnectMachine {
  return async (machine, port) => {
    const path = machinePath({ machine, port });
    let failure: unknown;
    // Only the process that runs the machine's cluster accepts the connection.
    for (const adminPort of ports) {
      try {
        const connection = await connectThrough(adminPort, path, admin);
        if (connection) return connection;
      } catch (error) {
        failure = error;
      }
    }
    if (failure !== undefined) throw failure;
    return undefined;
  };
}

async function connectThrough(
  port: number,
  path: string,
  { caPem, token }: Omit<ClustersAdmin, "ports">,
): Promise<Duplex | undefined> {
  const outgoing = request({
    host: "localhost",
    port,
    path,
    ca: caPem,
    agent: false,
    headers: { authorization: `Bearer ${token.reveal()}`, connection: "Upgrade", upgrade: "tcp" },
  });
  const refused = once(outgoing, "response").then(([response]: IncomingMessage[]) => {
    response?.destroy();
    return undefined;
  });
  const accepted = once(outgoing, "upgrade").then((event) => {
    const [, socket, head] = event as [IncomingMessage, Duplex, Buffer];
    if (head.length > 0) socket.unshift(head);
    return socket;
  });
  outgoing.end();
  return Promise.race([accepted, refused]);
}
