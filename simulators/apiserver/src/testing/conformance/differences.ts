/**
 * Cases that our server answers otherwise than kube-apiserver, and why: such a case must fail here, or it has no
 * business in this list. The table in this package's README tells the same.
 */
export const differences: ReadonlyMap<string, string> = new Map([]);

/** Cases that kube-apiserver itself does not pass, and why ours does better. */
export const improvements: ReadonlyMap<string, string> = new Map([
  [
    "an object that etcd would not take is 413",
    "kube-apiserver hands it on as a 500 without a reason; it is the client's mistake",
  ],
]);
