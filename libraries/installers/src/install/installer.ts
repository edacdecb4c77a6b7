import type { KeyPair } from "@keelson/base";
import type { InstallContext } from "./install-context.ts";

/**
 * State that is generated once per cluster. It is encrypted and stored before its first use, so that a crash
 * never leads to a second CA.
 */
export interface InstallState {
  /** Identifies the cluster in its ClusterVersion; a UUID. */
  readonly clusterId: string;
  /** Signs the client certificates of kubeconfigs. */
  readonly kubeconfigSigner: KeyPair;
  /** CA for the certificate of the machine config server. Real installers store theirs in their graph. */
  readonly rootAuthority?: KeyPair;
  readonly kubeadminPassword: string;
  readonly apiServer: ApiServerAddress;
}

interface ApiServerAddress {
  /** URL for clients outside of the cluster. */
  readonly url: string;
  /** URL for the service itself and for components of the cluster. */
  readonly internalUrl: string;
  /** CA certificates for the internal URL. Default: the public ones. */
  readonly internalCaPem?: string;
  /** CA certificates for `url`. */
  readonly caPem?: string;
}

/** Creates a cluster's machines. Every method may be repeated after a crash. */
export interface Installer {
  /** Generates keys and passwords. The caller stores the result once, before its first use. */
  generate(context: InstallContext): Promise<InstallState>;
  /** Creates the machines of the control plane and the bootstrap machine. */
  createMachines(context: InstallContext, state: InstallState): Promise<void>;
  /** True when the control plane runs without its bootstrap machine. */
  bootstrapComplete(context: InstallContext): Promise<boolean>;
  /** Removes data that only the install needed, after the bootstrap is complete. */
  finish(context: InstallContext): Promise<void>;
  /** Removes all data of a deleted cluster. Missing data is not an error. */
  forget(context: InstallContext): Promise<void>;
}
