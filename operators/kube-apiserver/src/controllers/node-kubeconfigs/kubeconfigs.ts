import { stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import { stringify } from "yaml";
import { namespaces } from "../../config/namespaces.ts";

export interface KubeconfigSources {
  /** Secret with the client certificate of system:admin. */
  readonly client: KubeObject | undefined;
  /** ConfigMap with the CA bundle of the API servers. */
  readonly serving: KubeObject | undefined;
  readonly infrastructure: KubeObject | undefined;
}

const user = "system:admin";
const validity = ["auth.openshift.io/certificate-not-before", "auth.openshift.io/certificate-not-after"];

/**
 * Returns the Secret with the kubeconfigs of the node administrator. The kubeconfigs connect to the API server on the node or
 * through the load balancers. The API server on the node is reachable even after its certificates have expired.
 * @throws Error that names the missing object
 */
export function nodeKubeconfigs(sources: KubeconfigSources): WantedObject & { data: Record<string, string> } {
  const { client, serving, infrastructure } = sources;
  if (!client) throw new Error('secret "node-system-admin-client" not found');
  const inOperator = `missing from secret ${namespaces.operator}/node-system-admin-client`;
  const certificate = required(
    stringAt(client, "data", "tls.crt"),
    `system:admin client certificate ${inOperator}`,
  );
  const key = required(stringAt(client, "data", "tls.key"), `system:admin client private key ${inOperator}`);
  if (!serving) throw new Error('configmap "kube-apiserver-server-ca" not found');
  const authorities = required(
    stringAt(serving, "data", "ca-bundle.crt"),
    `serving CA bundle missing from configmap ${namespaces.target}/kube-apiserver-server-ca`,
  );
  if (!infrastructure) throw new Error('infrastructure.config.openshift.io "cluster" not found');
  const url = (member: string, name: string) =>
    required(stringAt(infrastructure, "status", member), `${name} missing from infrastructure/cluster`);
  const internal = url("apiServerInternalURI", "APIServerInternalURL");
  const external = url("apiServerURL", "APIServerURL");
  const local = "https://localhost:6443";
  const clusters: Readonly<Record<string, object>> = {
    localhost: { server: local },
    "localhost-recovery": { server: local, "tls-server-name": "localhost-recovery" },
    "lb-ext": { server: external },
    "lb-int": { server: internal },
  };
  const data = Object.entries(clusters).map(([name, cluster]) => {
    const kubeconfig = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ cluster: { "certificate-authority-data": base64(authorities), ...cluster }, name }],
      contexts: [{ context: { cluster: name, user }, name: user }],
      "current-context": user,
      users: [{ name: user, user: { "client-certificate-data": certificate, "client-key-data": key } }],
    };
    return [`${name}.kubeconfig`, base64(stringify(kubeconfig, { lineWidth: 0 }))];
  });
  const annotations = Object.entries(client.metadata.annotations ?? {}).filter(([name]) =>
    validity.includes(name),
  );
  return {
    metadata: {
      namespace: namespaces.target,
      name: "node-kubeconfigs",
      annotations: { "openshift.io/owning-component": "kube-apiserver", ...Object.fromEntries(annotations) },
    },
    type: "Opaque",
    data: Object.fromEntries(data),
  };
}

function required(text: string | undefined, message: string): string {
  if (!text) throw new Error(message);
  return text;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
