import type { InstallState } from "@keelson/installers";
import type { KubeObject } from "@keelson/kube";
import { secret } from "../base/data-objects.ts";
import { hashPassword } from "../bcrypt/passwords.ts";

/** Secret with which a cluster verifies the password of `kubeadmin`: its bcrypt hash. A repeated call returns the same. */
export async function kubeadminSecret({ clusterId, kubeadminPassword }: InstallState): Promise<KubeObject> {
  return secret("kube-system", "kubeadmin", { kubeadmin: await hashPassword(kubeadminPassword, clusterId) });
}
