import type { KeyPair } from "@keelson/base";
import type { InstallContext } from "./install-context.ts";

/**
 * What is generated once for a cluster. It is stored, encrypted, before any of it is used, so that a crash never leads
 * to a second authority.
 */
export interface InstallState {
  /** Identifies the cluster in its ClusterVersion; a UUID. */
  readonly clusterId: string;
  /** Signs the client certificates of kubeconfigs. */
  readonly kubeconfigSigner: KeyPair;
  /** Signs the certificate of the machine config server. Real installers keep theirs in their graph. */
  readonly rootAuthority?: KeyPair;
  readonly kubeadminPassword: string;
  readonly apiServer: ApiServerAddress;
}

interface ApiServerAddress {
  /** For clients outside the cluster. */
  readonly url: string;
  /** For the service itself and the cluster's own parts. */
  readonly internalUrl: string;
  /** Authorities to trust at the internal URL; the well-known ones when absent. */
  readonly internalCaPem?: string;
  /** Authorities to trust at `url`. */
  readonly caPem?: string;
}

/** Makes a cluster's machines. Every method may run again after a crash. */
export interface Installer {
  /** Generates keys and passwords; the result is stored, once, before it is used. */
  generate(context: InstallContext): Promise<InstallState>;
  /** Creates the machines of the control plane and the bootstrap machine. */
  createMachines(context: InstallContext, state: InstallState): Promise<void>;
  /** True when the control plane runs without its bootstrap machine. */
  bootstrapComplete(context: InstallContext): Promise<boolean>;
  /** Removes what only the install needed, once the bootstrap is complete. */
  finish(context: InstallContext): Promise<void>;
  /** Removes all that the installer keeps of a deleted cluster; nothing there is fine. */
  forget(context: InstallContext): Promise<void>;
}
