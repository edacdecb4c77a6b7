/** Returns true if a client accepts gzip, by its `accept-encoding` (RFC 9110 §12.5.3). As to kube-apiserver, `x-gzip` is not gzip. */
export function acceptsGzip(acceptEncoding = ""): boolean {
  return acceptEncoding
    .split(",")
    .some((each) => /^\s*gzip\s*(;|$)/i.test(each) && !/;\s*q=0(\.0*)?\s*$/i.test(each));
}
