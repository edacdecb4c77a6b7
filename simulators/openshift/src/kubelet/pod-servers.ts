import type { Duplex } from "node:stream";
import type { KubeObject } from "@keelson/apiserver";

/** Overrides the servers that images provide for the ports of running pods. */
export interface PodServers {
  /** True if all ports of the pod refuse connections. */
  refuses(pod: KubeObject): boolean;
  /** Returns the server of a port. If the result is `undefined`, the image's server is used. */
  serverOf(pod: KubeObject, port: number): ((connection: Duplex) => void) | undefined;
}

/** Combines servers. For each port, uses the first element of `all` that has a server for the port. */
export function combinePodServers(all: readonly PodServers[]): PodServers {
  return {
    refuses: (pod) => all.some((each) => each.refuses(pod)),
    serverOf(pod, port) {
      for (const each of all) {
        const serve = each.serverOf(pod, port);
        if (serve) return serve;
      }
      return undefined;
    },
  };
}
