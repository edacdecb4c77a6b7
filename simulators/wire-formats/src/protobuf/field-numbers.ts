import { readFileSync } from "node:fs";

/**
 * Returns protocol buffer field numbers of embedded messages and of types that several kinds share. The format is that of
 * `TypeFacts`. Source: generated.proto and types.go in kubernetes/api, kubernetes/apimachinery,
 * kubernetes/apiextensions-apiserver and kubernetes/kube-aggregator. A published number never changes.
 */
export function sharedFieldNumbers(): string {
  return readFileSync(new URL("field-numbers.txt", import.meta.url), "utf8");
}
