/** True if the header `accept-encoding` permits gzip (RFC 9110 §12.5.3). `x-gzip` does not count, as in kube-apiserver. */
export function acceptsGzip(acceptEncoding = ""): boolean {
  return acceptEncoding
    .split(",")
    .some((each) => /^\s*gzip\s*(;|$)/i.test(each) && !/;\s*q=0(\.0*)?\s*$/i.test(each));
}
