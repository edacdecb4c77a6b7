/** Proxy of the cluster, from the status of proxies.config.openshift.io `cluster`. */
export interface ProxySettings {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}
