/** The portal through which administrators reach clusters. */
export interface PortalAccess {
  /** For example `https://eastus.admin.aro.azure.com`; the paths of clusters follow. */
  readonly url: string;
  /** What the portal serves with, PEM: clients of its kubeconfigs trust just that. */
  readonly certificatePem: string;
  /** Absent where the portal has no SSH server. */
  readonly ssh?: PortalSsh;
}

export interface PortalSsh {
  /** In OpenSSH's form: `ssh-rsa AAAA...`. */
  readonly hostKey: string;
  readonly port: number;
}
