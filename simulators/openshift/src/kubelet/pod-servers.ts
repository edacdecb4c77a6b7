import type { Duplex } from "node:stream";
import type { KubeObject } from "@keelson/apiserver";

/** Replaces the port servers of images in running pods. */
export interface PodServers {
  /** True if all ports of the pod refuse connections. */
  refuses(pod: KubeObject): boolean;
  /** Returns the server of a port. `undefined` for the image's default. */
  serverOf(pod: KubeObject, port: number): ((connection: Duplex) => void) | undefined;
}
