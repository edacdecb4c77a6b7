import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import type { Duplex } from "node:stream";
import type { Secret } from "@keelson/base";
import type { ConnectMachine } from "@keelson/sim-azure";
import { machinePath } from "@keelson/sim-openshift/machine-path";

export interface ClustersAdmin {
  readonly port: number;
  readonly caPem: string;
  readonly token: Secret;
}

/**
 * Returns a function that opens connections from the simulated Azure's network to machines of the simulated clusters. The
 * connections go through the admin port of the simulated clusters.
 */
export function machineConnections({ port: adminPort, caPem, token }: ClustersAdmin): ConnectMachine {
  return async (machine, port) => {
    const outgoing = request({
      host: "localhost",
      port: adminPort,
      path: machinePath({ machine, port }),
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
  };
}
