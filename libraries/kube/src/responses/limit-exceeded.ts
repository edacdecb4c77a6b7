import { KubeError } from "./kube-error.ts";
import type { ResponseLimit } from "./response-limits.ts";

const units: Readonly<Record<ResponseLimit, string>> = {
  bytes: "bytes",
  tokens: "JSON tokens",
  depth: "nested JSON values",
  objectTokens: "JSON tokens in one object",
  listBytes: "bytes in all pages",
  selectedBytes: "bytes in the selected fields",
  pages: "pages",
  objects: "objects",
  totalBytes: "bytes in all responses",
  totalTokens: "JSON tokens in all responses",
  cpu: "ms of CPU time for its responses",
  violations: "exceeded limits",
  memory: "memory for its response",
};

export function limitExceeded(request: string, limit: ResponseLimit, bound?: number): KubeError {
  const amount = bound === undefined ? units[limit] : `${bound} ${units[limit]}`;
  return new KubeError(0, "TooLarge", `${request} answered more than ${amount}`, { limit });
}
