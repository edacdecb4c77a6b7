import type { Exchange } from "../exchange.ts";

/** Which objects of the cluster a request is about. */
export function objectQuery(exchange: Exchange) {
  return {
    kind: exchange.query("kind") ?? "",
    namespace: exchange.query("namespace") ?? "",
    name: exchange.query("name") ?? "",
  };
}
