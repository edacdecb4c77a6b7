import { isDeepStrictEqual } from "node:util";
import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { issueCertificate, type KeyPair, valueAt } from "@keelson/base";
import { type Controller, done, type Result, watchFor } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { configMap, keyPairIn, secret, tlsSecret } from "../../base/data-objects.ts";
import { stringMapAt } from "../../base/fields.ts";
import { isMaster, nodeChanged } from "../../base/node-changes.ts";
import { ensureDeleted, ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { etcdPort } from "../../etcd/etcd-port.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { ensureAuthorities } from "../../settings/authorities.ts";
import { isOwnedByOthers } from "../cluster-operators/ownership.ts";
import { type EtcdMember, endpointsOf, membersOf } from "./members.ts";

const namespace = "openshift-etcd";
const certificateDays = 1_095;
const addressAnnotation = "auth.openshift.io/certificate-hostnames";
/** Certificate types of an etcd member. Each type has a separate Secret. */
const uses = ["etcd-peer", "etcd-serving", "etcd-serving-metrics"] as const;

/** Service in front of the members, for example for `oc port-forward service/etcd`. */
const clientService: KubeObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { namespace, name: "etcd", labels: { "k8s-app": "etcd" } },
  spec: {
    selector: { etcd: "true" },
    ports: [{ name: "etcd", port: etcdPort, targetPort: etcdPort, protocol: "TCP" }],
  },
};

/** Creates the objects of the etcd operator that other components read: the Service, member addresses and certificates. */
export const etcd: Controller<Cluster> = {
  name: "etcd",
  initialKeys: [{ name: "members" }],
  watches: [
    watchFor(
      resources.nodes,
      { name: "members" },
      { where: (change) => isMaster(change.object) && nodeChanged(change) },
    ),
  ],
  reconcile: reconcileMembers,
};

async function reconcileMembers(_key: ObjectKey, cluster: Cluster): Promise<Result> {
  const { client } = cluster;
  if (await isOwnedByOthers(cluster, "etcd")) return done;
  await ensureObject(client, resources.services, clientService);
  const members = membersOf((await client.list(resources.nodes)).items);
  if (members.length === 0) return done;
  await replaceData(
    client,
    resources.configMaps,
    configMap(namespace, "etcd-endpoints", endpointsOf(members)),
  );
  const files: Record<string, string> = {};
  for (const member of members) {
    const pair = await ensureCertificate(client, member);
    for (const use of uses) {
      files[`${use}-${member.node}.crt`] = pair.certificatePem;
      files[`${use}-${member.node}.key`] = pair.privateKeyPem;
    }
  }
  await replaceData(client, resources.secrets, secret(namespace, "etcd-all-certs", files));
  await forgetOthers(client, members);
  return done;
}

/** Returns the certificate of a member. All three certificate types use the same key. */
async function ensureCertificate(client: ClusterClient, { node, address }: EtcdMember): Promise<KeyPair> {
  const [first] = uses;
  const stored = await client.find(resources.secrets, { namespace, name: `${first}-${node}` });
  const names = ["localhost", "etcd.kube-system.svc", "etcd.openshift-etcd.svc"];
  const addresses = [address, "127.0.0.1", "::1"];
  const hosts = [...names, ...addresses].toSorted().join(",");
  const known = stored?.metadata.annotations?.[addressAnnotation] === hosts ? keyPairIn(stored) : undefined;
  const { etcd: authority } = await ensureAuthorities(client);
  const pair =
    known ??
    (await issueCertificate(authority, {
      commonName: `system:etcd-peer:${node}`,
      organizations: ["system:etcd-peers"],
      dnsNames: names,
      ipAddresses: addresses,
      usage: "both",
      validDays: certificateDays,
    }));
  for (const use of uses) {
    const object = tlsSecret(namespace, `${use}-${node}`, pair);
    const annotations = { [addressAnnotation]: hosts };
    await replaceData(client, resources.secrets, {
      ...object,
      metadata: { ...object.metadata, annotations },
    });
  }
  return pair;
}

/** Deletes the Secrets of former etcd members. */
async function forgetOthers(client: ClusterClient, members: readonly EtcdMember[]): Promise<void> {
  const wanted = new Set(members.flatMap(({ node }) => uses.map((use) => `${use}-${node}`)));
  const { items } = await client.list(resources.secrets, { namespace });
  for (const { metadata } of items) {
    const ofMember = uses.some((use) => metadata.name.startsWith(`${use}-`));
    if (ofMember && !wanted.has(metadata.name)) await ensureDeleted(client, resources.secrets, metadata);
  }
}

async function replaceData(
  client: ClusterClient,
  ref: typeof resources.secrets,
  wanted: KubeObject,
): Promise<void> {
  const present = await client.find(ref, wanted.metadata);
  if (!present) return ensureObject(client, ref, wanted);
  const annotations = { ...present.metadata.annotations, ...wanted.metadata.annotations };
  const same =
    isDeepStrictEqual(stringMapAt(present, "data"), valueAt(wanted, "data")) &&
    isDeepStrictEqual(present.metadata.annotations ?? {}, annotations);
  if (same) return;
  await client.update(ref, {
    ...present,
    metadata: { ...present.metadata, annotations },
    data: valueAt(wanted, "data"),
  });
}
