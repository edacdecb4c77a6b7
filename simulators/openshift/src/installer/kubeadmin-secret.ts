import type { InstallState } from "@keelson/installers";
import type { KubeObject } from "@keelson/kube";
import { secret } from "../base/data-objects.ts";
import { hashPassword } from "../bcrypt/passwords.ts";

/** Returns the Secret with the bcrypt hash of the `kubeadmin` password. Repeated calls return the same hash. */
export async function kubeadminSecret({ clusterId, kubeadminPassword }: InstallState): Promise<KubeObject> {
  return secret("kube-system", "kubeadmin", { kubeadmin: await hashPassword(kubeadminPassword, clusterId) });
}
