import type { KubeObject } from "@keelson/apiserver";
import { listAt, textAt } from "../../base/fields.ts";

/** A master that is a member of etcd. */
export interface EtcdMember {
  readonly node: string;
  readonly address: string;
}

/** The masters that have an address, in the order of their names. */
export function membersOf(nodes: readonly KubeObject[]): readonly EtcdMember[] {
  return nodes
    .filter(({ metadata }) => "node-role.kubernetes.io/master" in (metadata.labels ?? {}))
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .flatMap((node) => {
      const internal = listAt(node, "status", "addresses").find(
        (each) => textAt(each, "type") === "InternalIP",
      );
      const address = textAt(internal, "address");
      return address === undefined ? [] : [{ node: node.metadata.name, address }];
    })
    .toSorted((a, b) => (a.node < b.node ? -1 : 1));
}

/** `etcd-endpoints`: addresses by a key that is unique to each, as the etcd operator writes them. */
export function endpointsOf(members: readonly EtcdMember[]): Readonly<Record<string, string>> {
  const entries = members.map(({ address }) => [
    Buffer.from(address).toString("base64").replaceAll("=", ""),
    address,
  ]);
  return Object.fromEntries(entries);
}
