import type { JsonObject } from "@keelson/base";
import { mergeConfigs, type SparseConfig } from "@keelson/operator-kit";
import { auditPolicy } from "../config/audit-policy.ts";
import { authorizationModes } from "../config/authorization-modes.ts";
import { bindingFor } from "../config/binding.ts";
import { configType } from "../config/config-type.ts";
import { defaultConfig } from "../config/default-config.ts";
import { type FeatureGates, featureGateArguments, isEnabled } from "../config/feature-gates.ts";
import { bootstrapSecretDir as secrets } from "../config/operand-paths.ts";
import { podSecurityDefaults, podSecurityGate } from "../config/pod-security.ts";
import type { ClusterNetworks } from "./cluster-networks.ts";

export interface BootstrapFacts {
  readonly gates: FeatureGates;
  readonly networks: ClusterNetworks;
  readonly issuer: string;
  readonly etcdServerUrls: readonly string[];
  readonly etcdServingCa: string;
  readonly isSingleNode: boolean;
}

/**
 * Returns the configuration of the bootstrap API server. A list in an override replaces the same list of the defaults and of
 * earlier overrides.
 */
export function bootstrapConfig(facts: BootstrapFacts, overrides: readonly SparseConfig[]): SparseConfig {
  return mergeConfigs([
    defaultConfig,
    ofFeatureGates(facts.gates),
    auditToLocalFile,
    bootstrapLayer(facts),
    ...overrides,
  ]);
}

function ofFeatureGates(gates: FeatureGates): JsonObject {
  return {
    admission: {
      pluginConfig: {
        PodSecurity: { configuration: { defaults: podSecurityDefaults(isEnabled(gates, podSecurityGate)) } },
      },
    },
    apiServerArguments: {
      "authorization-mode": [...authorizationModes(isEnabled(gates, "MinimumKubeletVersion"))],
    },
  };
}

/**
 * The configuration contains the audit policy, because no ConfigMap with it exists yet. The API server writes the policy to a
 * local file.
 */
const auditToLocalFile: JsonObject = {
  apiServerArguments: { "audit-policy-file": ["openshift.local.audit/policy.yaml"] },
  auditConfig: { enabled: true, policyConfiguration: auditPolicy({ profile: "Default" }) },
};

const keyPair = (name: string) => ({ certFile: `${secrets}/${name}.crt`, keyFile: `${secrets}/${name}.key` });

const serviceNetworkServer = keyPair("kube-apiserver-service-network-server");
const kubeletClient = keyPair("kube-apiserver-to-kubelet-client");
const proxyClient = keyPair("apiserver-proxy");

function bootstrapLayer({ networks, issuer, ...facts }: BootstrapFacts): JsonObject {
  return {
    ...configType,
    servingInfo: {
      ...bindingFor(networks.cluster),
      namedCertificates: [
        {
          names: [
            "kubernetes",
            "kubernetes.default",
            "kubernetes.default.svc",
            "kubernetes.default.svc.cluster.local",
          ],
          ...serviceNetworkServer,
        },
        { names: ["localhost", "127.0.0.1", "::1"], ...keyPair("kube-apiserver-localhost-server") },
        keyPair("kube-apiserver-lb-server"),
        keyPair("kube-apiserver-internal-lb-server"),
      ],
    },
    ...networkMembers(networks),
    apiServerArguments: {
      "api-audiences": [issuer],
      "client-ca-file": [`${secrets}/kube-apiserver-complete-client-ca-bundle.crt`],
      "etcd-cafile": [`${secrets}/${facts.etcdServingCa}`],
      "etcd-certfile": [`${secrets}/etcd-client.crt`],
      "etcd-keyfile": [`${secrets}/etcd-client.key`],
      "etcd-servers": [...facts.etcdServerUrls],
      "feature-gates": [...featureGateArguments(facts.gates)],
      "kubelet-certificate-authority": [`${secrets}/kubelet-client-ca-bundle.crt`],
      "kubelet-client-certificate": [kubeletClient.certFile],
      "kubelet-client-key": [kubeletClient.keyFile],
      "proxy-client-cert-file": [proxyClient.certFile],
      "proxy-client-key-file": [proxyClient.keyFile],
      "requestheader-client-ca-file": [`${secrets}/aggregator-signer.crt`],
      "runtime-config": null,
      "service-account-key-file": [
        `${secrets}/service-account.pub`,
        `${secrets}/bound-service-account-signing-key.pub`,
      ],
      "service-account-issuer": [issuer],
      "service-account-signing-key-file": [`${secrets}/bound-service-account-signing-key.key`],
      "tls-cert-file": [serviceNetworkServer.certFile],
      "tls-private-key-file": [serviceNetworkServer.keyFile],
      ...(facts.isSingleNode ? { "shutdown-delay-duration": ["0s"] } : {}),
    },
  };
}

function networkMembers({ cluster, service }: ClusterNetworks): JsonObject {
  if (service.length === 0) return {};
  const configuration = {
    apiVersion: "network.openshift.io/v1",
    kind: "RestrictedEndpointsAdmissionConfig",
    restrictedCIDRs: [...service, ...cluster],
  };
  return {
    servicesSubnet: service.slice(0, 2).join(","),
    admission: { pluginConfig: { "network.openshift.io/RestrictedEndpointsAdmission": { configuration } } },
  };
}
