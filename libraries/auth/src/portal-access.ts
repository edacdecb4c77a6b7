/** The portal through which administrators reach clusters. */
export interface PortalAccess {
  /** Base URL for the paths of clusters, for example `https://eastus.admin.aro.azure.com`. */
  readonly url: string;
  /** Certificate of the portal in PEM. Its kubeconfigs trust only this certificate. */
  readonly certificatePem: string;
  /** Undefined for a portal without an SSH server. */
  readonly ssh?: PortalSsh;
}

export interface PortalSsh {
  /** OpenSSH format: `ssh-rsa AAAA...`. */
  readonly hostKey: string;
  readonly port: number;
}
