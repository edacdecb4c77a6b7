import type { InstallState } from "@keelson/installers";
import type { KubeObject } from "@keelson/kube";
import { secret } from "../base/data-objects.ts";
import { hashPassword } from "../bcrypt/passwords.ts";

/** Secret with the bcrypt hash of the `kubeadmin` password. A repeated call returns the same hash. */
export async function kubeadminSecret({ clusterId, kubeadminPassword }: InstallState): Promise<KubeObject> {
  return secret("kube-system", "kubeadmin", { kubeadmin: await hashPassword(kubeadminPassword, clusterId) });
}
