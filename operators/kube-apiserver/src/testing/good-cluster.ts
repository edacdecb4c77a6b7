import type { KubeObject } from "@keelson/kube";
import { configObject, dataObject } from "./observe.ts";
import { servingKeyPair } from "./serving-key-pair.ts";

export const goodVersion = "4.19.0";

const kubeconfig = JSON.stringify({
  apiVersion: "v1",
  kind: "Config",
  "current-context": "c",
  clusters: [{ name: "k", cluster: { server: "https://webhook.example" } }],
  users: [{ name: "u", user: { token: "x" } }],
  contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
});
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Returns the objects of a cluster that has inputs for every observer. */
export async function goodCluster(): Promise<readonly KubeObject[]> {
  const oauthMetadata = { name: "oauth-metadata" };
  return [
    configObject("APIServer", {
      spec: {
        servingCerts: {
          namedCertificates: [{ names: ["api.example"], servingCertificate: { name: "named" } }],
        },
        clientCA: { name: "users" },
        additionalCORSAllowedOrigins: ["//console\\.example(:|$)"],
        tlsSecurityProfile: {
          type: "Custom",
          custom: { minTLSVersion: "VersionTLS12", ciphers: ["ECDHE-RSA-AES128-GCM-SHA256"] },
        },
      },
    }),
    configObject("Infrastructure", {
      spec: { platformSpec: { type: "AWS" } },
      status: { controlPlaneTopology: "HighlyAvailable", apiServerURL: "https://api.example:6443" },
    }),
    configObject("Authentication", {
      spec: {
        type: "IntegratedOAuth",
        oauthMetadata,
        webhookTokenAuthenticator: { kubeConfig: { name: "webhook" } },
      },
      status: { integratedOAuthMetadata: { name: "integrated" } },
    }),
    configObject("KubeAPIServer", {
      spec: { eventTTLMinutes: 60 },
      status: {
        serviceAccountIssuers: [
          { name: "https://issuer.example" },
          { name: "https://before.example", expirationTime: "2099-01-01T00:00:00Z" },
        ],
      },
    }),
    configObject("FeatureGate", {
      status: {
        featureGates: [
          {
            version: goodVersion,
            enabled: [
              "EventTTL",
              "ExternalOIDC",
              "MinimumKubeletVersion",
              "OpenShiftPodSecurityAdmission",
            ].map((name) => ({ name })),
            disabled: [{ name: "KMSEncryption" }],
          },
        ],
      },
    }),
    configObject("Network", {
      spec: {
        externalIP: {
          policy: { allowedCIDRs: ["1.2.3.0/24"], rejectedCIDRs: ["1.2.3.4/32"] },
          autoAssignCIDRs: ["5.6.7.0/24"],
        },
        serviceNodePortRange: "30000-31000",
      },
      status: {
        clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }],
        serviceNetwork: ["172.30.0.0/16"],
      },
    }),
    configObject("Node", {
      spec: { workerLatencyProfile: "MediumUpdateAverageReaction", minimumKubeletVersion: "1.32.0" },
    }),
    configObject("Proxy", {
      status: { httpProxy: "http://proxy.example", httpsProxy: "http://proxy.example", noProxy: ".svc" },
    }),
    configObject("Image", {
      spec: {
        externalRegistryHostnames: ["registry.example"],
        allowedRegistriesForImport: [{ domainName: "quay.io", insecure: false }],
      },
      status: {
        internalRegistryHostname: "registry.svc:5000",
        externalRegistryHostnames: ["default.example"],
      },
    }),
    configObject("Scheduler", { spec: { defaultNodeSelector: "type=user" } }),
    dataObject("ConfigMap", "openshift-etcd/etcd-endpoints", { data: { a: "10.0.0.7", b: "10.0.0.8" } }),
    dataObject("ConfigMap", "kube-system/cluster-config-v1", {
      data: { "install-config": "networking:\n  podCIDR: 10.2.0.0/16\n  serviceCIDR: 10.3.0.0/16\n" },
    }),
    dataObject(
      "Endpoints",
      "kube-system/host-etcd",
      { subsets: [{ addresses: [{ ip: "10.0.0.7", hostname: "etcd-0" }] }] },
      {
        "alpha.installer.openshift.io/dns-suffix": "example",
      },
    ),
    dataObject("ConfigMap", "openshift-config/oauth-metadata", { data: { oauthMetadata: "{}" } }),
    dataObject("Secret", "openshift-config/named", { data: await servingKeyPair() }),
    dataObject("Secret", "openshift-config/webhook", { data: { kubeConfig: base64(kubeconfig) } }),
    dataObject("Secret", "openshift-kube-apiserver/encryption-config", {
      data: { "encryption-config": base64("{}") },
    }),
  ];
}
