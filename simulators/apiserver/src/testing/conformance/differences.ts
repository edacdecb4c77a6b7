/**
 * Cases in which this server differs from kube-apiserver, with the reason. Each case must fail on this server. The package's
 * README contains the same list.
 */
export const differences: ReadonlyMap<string, string> = new Map([]);

/** Cases that pass on this server but fail on kube-apiserver, with the reason. */
export const improvements: ReadonlyMap<string, string> = new Map([
  [
    "an object above etcd's size limit is 413",
    "kube-apiserver hands it on as a 500 without a reason; it is the client's mistake",
  ],
]);
