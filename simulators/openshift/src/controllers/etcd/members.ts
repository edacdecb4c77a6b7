import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";

/** Master that runs an etcd member. */
export interface EtcdMember {
  readonly node: string;
  readonly address: string;
}

/** Returns the masters with an address, sorted by name. */
export function membersOf(nodes: readonly KubeObject[]): readonly EtcdMember[] {
  return nodes
    .filter(({ metadata }) => "node-role.kubernetes.io/master" in (metadata.labels ?? {}))
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .flatMap((node) => {
      const internal = listAt(node, "status", "addresses").find(
        (each) => stringAt(each, "type") === "InternalIP",
      );
      const address = stringAt(internal, "address");
      return address === undefined ? [] : [{ node: node.metadata.name, address }];
    })
    .toSorted((a, b) => (a.node < b.node ? -1 : 1));
}

/** Returns the data of the ConfigMap `etcd-endpoints`. Each address has a unique key, as in the etcd operator. */
export function endpointsOf(members: readonly EtcdMember[]): Readonly<Record<string, string>> {
  const entries = members.map(({ address }) => [
    Buffer.from(address).toString("base64").replaceAll("=", ""),
    address,
  ]);
  return Object.fromEntries(entries);
}
