/** Portal through which administrators access clusters. */
export interface PortalAccess {
  /** Base URL of the cluster paths, for example `https://eastus.admin.aro.azure.com`. */
  readonly url: string;
  /** Certificate of the portal in PEM. The portal's kubeconfigs trust only this certificate. */
  readonly certificatePem: string;
  /** SSH server of the portal. Undefined if the portal has none. */
  readonly ssh?: PortalSsh;
}

export interface PortalSsh {
  /** Public host key in OpenSSH format: `ssh-rsa AAAA...`. */
  readonly hostKey: string;
  readonly port: number;
}
