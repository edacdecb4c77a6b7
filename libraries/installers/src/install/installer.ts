import type { KeyPair } from "@keelson/base";
import type { InstallContext } from "./install-context.ts";

/**
 * State that is generated once per cluster. The state is encrypted and stored before its first use, so that a retry after a crash
 * uses the same CA.
 */
export interface InstallState {
  /** Cluster ID in the ClusterVersion, a UUID. */
  readonly clusterId: string;
  /** CA for the client certificates of kubeconfigs. */
  readonly kubeconfigSigner: KeyPair;
  /** CA for the certificate of the machine config server. Undefined for real installers, which store this CA in their graph. */
  readonly rootAuthority?: KeyPair;
  readonly kubeadminPassword: string;
  readonly apiServer: ApiServerAddress;
}

interface ApiServerAddress {
  /** URL for clients outside of the cluster. */
  readonly url: string;
  /** URL for the service and for components of the cluster. */
  readonly internalUrl: string;
  /** CA certificates (PEM) for the internal URL. Default: public CAs. */
  readonly internalCaPem?: string;
  /** CA certificates (PEM) for `url`. Default: public CAs. */
  readonly caPem?: string;
}

/** Creates a cluster's machines. Every method can be repeated after a crash. */
export interface Installer {
  /**
   * Generates keys and passwords. The caller stores the result before it uses the result. After that, the caller never calls this
   * method again for the cluster.
   */
  generate(context: InstallContext): Promise<InstallState>;
  /** Creates the machines of the control plane and the bootstrap machine. */
  createMachines(context: InstallContext, state: InstallState): Promise<void>;
  /** True if the control plane runs without the bootstrap machine. */
  bootstrapComplete(context: InstallContext): Promise<boolean>;
  /** Removes data that only the installation needed. Called after the bootstrap is complete. */
  finish(context: InstallContext): Promise<void>;
  /** Removes all data of a deleted cluster. Missing data is not an error. */
  forget(context: InstallContext): Promise<void>;
}
