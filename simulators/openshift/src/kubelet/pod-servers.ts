import type { Duplex } from "node:stream";
import type { KubeObject } from "@keelson/apiserver";

/** Serves ports of running pods in place of what their images do. */
export interface PodServers {
  /** Whether no port of the pod takes a connection now. */
  refuses(pod: KubeObject): boolean;
  /** `undefined` where the image's own behaviour stands. */
  serverOf(pod: KubeObject, port: number): ((connection: Duplex) => void) | undefined;
}
