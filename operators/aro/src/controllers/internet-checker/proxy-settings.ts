/** The cluster's proxy: proxies.config.openshift.io/cluster, status. */
export interface ProxySettings {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}
