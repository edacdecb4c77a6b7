import { messageOf } from "@keelson/base";
import type { KubeObject, KubeResource, ObjectKey } from "@keelson/kube";
import type { ConfigObserver, ObservedObjects } from "@keelson/operator-kit";
import { flag, integer, list, map, object, restrict, type Shape, text } from "../config/shapes.ts";

const texts = list(text);
const named = object({ name: text });
const namedList = list(named);

/** Types of the fields that observers read, by kind. */
const shapes: Readonly<Record<string, Shape>> = {
  APIServer: object({
    spec: object({
      servingCerts: object({
        namedCertificates: list(object({ names: texts, servingCertificate: named })),
      }),
      clientCA: named,
      additionalCORSAllowedOrigins: texts,
      tlsSecurityProfile: object({ type: text, custom: object({ minTLSVersion: text, ciphers: texts }) }),
    }),
  }),
  Authentication: object({
    spec: object({
      type: text,
      oauthMetadata: named,
      webhookTokenAuthenticator: object({ kubeConfig: named }),
    }),
    status: object({ integratedOAuthMetadata: named }),
  }),
  ConfigMap: object({ data: map(text) }),
  Endpoints: object({ subsets: list(object({ addresses: list(object({ hostname: text })) })) }),
  FeatureGate: object({
    status: object({
      featureGates: list(object({ version: text, enabled: namedList, disabled: namedList })),
    }),
  }),
  Image: object({
    spec: object({
      externalRegistryHostnames: texts,
      allowedRegistriesForImport: list(object({ domainName: text, insecure: flag })),
    }),
    status: object({ internalRegistryHostname: text, externalRegistryHostnames: texts }),
  }),
  Infrastructure: object({
    spec: object({ platformSpec: object({ type: text }) }),
    status: object({ controlPlaneTopology: text, apiServerURL: text }),
  }),
  KubeAPIServer: object({
    spec: object({ eventTTLMinutes: integer }),
    status: object({
      serviceAccountIssuers: list(object({ name: text, expirationTime: text })),
      nodeStatuses: list(object({ currentRevision: integer })),
    }),
  }),
  Network: object({
    spec: object({
      externalIP: object({
        policy: object({ allowedCIDRs: texts, rejectedCIDRs: texts }),
        autoAssignCIDRs: texts,
      }),
      serviceNodePortRange: text,
    }),
    status: object({ clusterNetwork: list(object({ cidr: text })), serviceNetwork: texts }),
  }),
  Node: object({ spec: object({ workerLatencyProfile: text, minimumKubeletVersion: text }) }),
  Proxy: object({ status: object({ httpProxy: text, httpsProxy: text, noProxy: text }) }),
  Scheduler: object({ spec: object({ defaultNodeSelector: text }) }),
  Secret: object({ data: map(text) }),
};

/**
 * Wraps an observer. If an object has a field of the wrong type, the wrapped observer fails instead of using an empty value. The
 * previously observed values then stay.
 */
export function withReadableInputs(observer: ConfigObserver): ConfigObserver {
  return {
    ...observer,
    observe: (scope) => observer.observe({ ...scope, objects: readable(scope.objects) }),
  };
}

function readable(objects: ObservedObjects): ObservedObjects {
  return {
    find<T extends KubeObject>(resource: KubeResource<T>, key: ObjectKey): T | undefined {
      const found = objects.find(resource, key);
      if (found) requireReadable(resource, found);
      return found;
    },
    list<T extends KubeObject>(resource: KubeResource<T>, namespace?: string): readonly T[] {
      const found = objects.list(resource, namespace);
      for (const each of found) requireReadable(resource, each);
      return found;
    },
  };
}

function requireReadable({ kind, plural, group }: KubeResource, object: KubeObject): void {
  const shape = shapes[kind];
  if (!shape) return;
  try {
    restrict(object, shape, "", []);
  } catch (error) {
    const { namespace, name } = object.metadata;
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    throw new Error(`${plural}${group && `.${group}`}/${key}: ${messageOf(error)}`, { cause: error });
  }
}
