import { X509Certificate } from "node:crypto";
import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  listAt,
  objectAt,
  stringAt,
} from "@keelson/base";
import { type Controller, done, type Result, timestamp, watch } from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { keyPairIn } from "../../base/data-objects.ts";
import { ensureObject } from "../../base/objects.ts";
import { type Resource, resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { Cluster } from "../../runtime/cluster.ts";

/** Both annotation prefixes. The first has priority. */
const prefixes = ["service.beta.openshift.io", "service.alpha.openshift.io"] as const;
const signerName = "openshift-service-serving-signer";
const signingKey = { namespace: "openshift-service-ca", name: "signing-key" };
/** ConfigMap key of the injected CA. */
export const bundleMember = "service-ca.crt";
const validDays = 790;
const caValidDays = 790;

/** Issues serving certificates for annotated Services and injects the service CA into annotated objects. */
export const serviceCa: readonly Controller<Cluster>[] = [
  {
    name: "service-ca-certificates",
    watches: [
      watch(resources.services, {
        where: ({ object }) => annotationOf(object, "serving-cert-secret-name") !== undefined,
      }),
    ],
    reconcile: (key, { client }) => unlessGone(sign(client, key)),
  },
  injector("service-ca-config-maps", resources.configMaps, injectIntoConfigMap),
  injector("service-ca-validating-webhooks", resources.validatingWebhooks, injectIntoWebhooks),
  injector("service-ca-mutating-webhooks", resources.mutatingWebhooks, injectIntoWebhooks),
];

function injector(
  name: string,
  resource: Resource,
  inject: (client: ClusterClient, resource: Resource, object: KubeObject) => Promise<void>,
): Controller<Cluster> {
  return {
    name,
    watches: [watch(resource, { where: ({ object }) => annotationOf(object, "inject-cabundle") === "true" })],
    async reconcile(key, { client }) {
      const found = await client.find(resource, key);
      return found ? unlessGone(inject(client, resource, found)) : done;
    },
  };
}

/** Waits for `work`. Ignores its error if the object has just been deleted. */
async function unlessGone(work: Promise<void>): Promise<Result> {
  try {
    await work;
  } catch (error) {
    if (!hasReason(error, "NotFound") && !hasReason(error, "Forbidden")) throw error;
  }
  return done;
}

function annotationOf({ metadata }: KubeObject, name: string): string | undefined {
  return prefixes.map((prefix) => metadata.annotations?.[`${prefix}/${name}`]).find((value) => value);
}

function annotated(name: string, value: string): Readonly<Record<string, string>> {
  return Object.fromEntries(prefixes.map((prefix) => [`${prefix}/${name}`, value]));
}

async function sign(client: ClusterClient, key: ObjectKey): Promise<void> {
  const service = await client.find(resources.services, key);
  const name = service && annotationOf(service, "serving-cert-secret-name");
  const { namespace } = key;
  if (!service || !name || namespace === undefined) return;
  if (await client.find(resources.secrets, { namespace, name })) return;
  const authority = await ensureServiceAuthority(client);
  const host = `${service.metadata.name}.${namespace}.svc`;
  const pair = await issueCertificate(authority, {
    commonName: host,
    dnsNames: [host, `${host}.cluster.local`],
    usage: "server",
    validDays,
  });
  const { uid = "" } = service.metadata;
  await ensureObject(client, resources.secrets, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      namespace,
      name,
      annotations: {
        ...annotated("originating-service-name", service.metadata.name),
        ...annotated("originating-service-uid", uid),
        ...annotated("expiry", timestamp(new X509Certificate(pair.certificatePem).validToDate)),
      },
      ownerReferences: [{ apiVersion: "v1", kind: "Service", name: service.metadata.name, uid }],
    },
    type: "kubernetes.io/tls",
    data: secretData(pair),
  });
  await client.mergePatch(resources.services, service.metadata, {
    metadata: { annotations: annotated("serving-cert-signed-by", signerName) },
  });
}

async function injectIntoConfigMap(
  client: ClusterClient,
  resource: Resource,
  found: KubeObject,
): Promise<void> {
  const { certificatePem } = await ensureServiceAuthority(client);
  if (stringAt(found, "data", bundleMember) === certificatePem) return;
  await client.mergePatch(resource, found.metadata, { data: { [bundleMember]: certificatePem } });
}

async function injectIntoWebhooks(
  client: ClusterClient,
  resource: Resource,
  found: KubeObject,
): Promise<void> {
  const caBundle = Buffer.from((await ensureServiceAuthority(client)).certificatePem).toString("base64");
  const webhooks = listAt(found, "webhooks");
  if (webhooks.every((each) => stringAt(each, "clientConfig", "caBundle") === caBundle)) return;
  await client.update(resource, {
    ...found,
    webhooks: webhooks.map((each) => {
      const webhook = objectAt(each);
      return { ...webhook, clientConfig: { ...objectAt(webhook, "clientConfig"), caBundle } };
    }),
  });
}

/**
 * Returns the service CA. Creates its Secret if it does not exist. If several calls run concurrently, only one call can create
 * the Secret. The other calls fail, and read the Secret when they are retried.
 */
export async function ensureServiceAuthority(client: ClusterClient): Promise<KeyPair> {
  const known = await findServiceAuthority(client);
  if (known) return known;
  const authority = await createCertificateAuthority(signerName, caValidDays);
  await client.create(resources.secrets, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: signingKey,
    type: "kubernetes.io/tls",
    data: secretData(authority),
  });
  return authority;
}

export async function findServiceAuthority(client: ClusterClient): Promise<KeyPair | undefined> {
  return keyPairIn(await client.find(resources.secrets, signingKey));
}

function secretData({ certificatePem, privateKeyPem }: KeyPair): Readonly<Record<string, string>> {
  const encode = (text: string) => Buffer.from(text).toString("base64");
  return { "tls.crt": encode(certificatePem), "tls.key": encode(privateKeyPem) };
}
