import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@keelson/base";
import { KubeError } from "../responses/kube-error.ts";
import type { KubeAccess } from "./read-kubeconfig.ts";

/** API server of a pod, and the directory with the pod's `token` and `ca.crt`. */
export interface ServiceAccountFiles {
  /** HTTPS URL. Pods read it from `KUBERNETES_SERVICE_HOST` and `_PORT` (`inClusterServer`). */
  readonly server: string;
  /** Directory of the files. In every pod, it is `/var/run/secrets/kubernetes.io/serviceaccount`. */
  readonly directory: string;
}

/**
 * Interval in ms at which the token is read again. Kubelets replace a token after four fifths of its validity, for example a
 * one-hour token after 48 minutes.
 */
const rereadMs = 60_000;

/**
 * Returns the access of a pod's service account. Kubelets replace the token while the pod runs. The token is therefore read again
 * every minute and after the server rejects it.
 * @throws KubeError InvalidServiceAccount, which names the unreadable file
 */
export async function serviceAccountAccess(
  { server, directory }: ServiceAccountFiles,
  nowMs: () => number = () => performance.now(),
): Promise<KubeAccess> {
  const read = async (name: string) => {
    const file = join(directory, name);
    try {
      return (await readFile(file, "utf8")).trim();
    } catch (cause) {
      const message = `the service account's ${file} cannot be read: ${messageOf(cause)}`;
      throw new KubeError(0, "InvalidServiceAccount", message, { cause });
    }
  };
  const ca = await read("ca.crt");
  let token = await read("token");
  let readAtMs = nowMs();
  const reread = async () => {
    // The previous token remains in use while the kubelet replaces the files.
    token = await read("token").catch(() => token);
    readAtMs = nowMs();
  };
  const headers = () => ({ authorization: `Bearer ${token}` });
  return {
    server: new URL(server),
    tls: { ca },
    async headers() {
      if (nowMs() - readAtMs >= rereadMs) await reread();
      return headers();
    },
    async renew({ authorization }) {
      // A concurrent request may already have read the new token.
      if (authorization === headers().authorization) await reread();
      return authorization !== headers().authorization;
    },
  };
}

/**
 * Returns the URL of the API server from a pod's environment. Undefined outside of pods. An IPv6 address is enclosed in brackets.
 */
export function inClusterServer(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  if (!host || !port) return undefined;
  return `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
