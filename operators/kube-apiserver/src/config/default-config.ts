import type { JsonObject } from "@keelson/base";
import { configType } from "./config-type.ts";
import { certificateDir, configMapFile, keyPairFiles, resourceDir } from "./operand-paths.ts";

/** Placeholder that the pod security observer must replace. An API server cannot start with this value. */
const mustBeReplaced = "invalid-to-force-substitution";

const enabledAdmissionPlugins = [
  "CertificateApproval",
  "CertificateSigning",
  "CertificateSubjectRestriction",
  "DefaultIngressClass",
  "DefaultStorageClass",
  "DefaultTolerationSeconds",
  "LimitRanger",
  "MutatingAdmissionWebhook",
  "NamespaceLifecycle",
  "NodeRestriction",
  "OwnerReferencesPermissionEnforcement",
  "PersistentVolumeClaimResize",
  "PodNodeSelector",
  "PodTolerationRestriction",
  "Priority",
  "ResourceQuota",
  "RuntimeClass",
  "ServiceAccount",
  "StorageObjectInUseProtection",
  "TaintNodesByCondition",
  "ValidatingAdmissionWebhook",
  "ValidatingAdmissionPolicy",
  "config.openshift.io/DenyDeleteClusterConfiguration",
  "config.openshift.io/ValidateAPIServer",
  "config.openshift.io/ValidateAuthentication",
  "config.openshift.io/ValidateConsole",
  "config.openshift.io/ValidateFeatureGate",
  "config.openshift.io/ValidateImage",
  "config.openshift.io/ValidateOAuth",
  "config.openshift.io/ValidateProject",
  "config.openshift.io/ValidateScheduler",
  "image.openshift.io/ImagePolicy",
  "network.openshift.io/ExternalIPRanger",
  "network.openshift.io/RestrictedEndpointsAdmission",
  "quota.openshift.io/ClusterResourceQuota",
  "quota.openshift.io/ValidateClusterResourceQuota",
  "route.openshift.io/IngressAdmission",
  "scheduling.openshift.io/OriginPodNodeEnvironment",
  "security.openshift.io/DefaultSecurityContextConstraints",
  "security.openshift.io/SCCExecRestrictions",
  "security.openshift.io/SecurityContextConstraint",
  "security.openshift.io/ValidateSecurityContextConstraints",
  "storage.openshift.io/CSIInlineVolumeSecurity",
];

const etcdClient = keyPairFiles(resourceDir, "etcd-client");
const kubeletClient = keyPairFiles(certificateDir, "kubelet-client");
const aggregatorClient = keyPairFiles(certificateDir, "aggregator-client");
const serving = keyPairFiles(certificateDir, "service-network-serving-certkey");
const caBundle = (directory: string, configMap: string) =>
  configMapFile(directory, configMap, "ca-bundle.crt");

/** Arguments of kube-apiserver that do not depend on the cluster. Each value is a list of strings. */
const defaultArguments = {
  "allow-privileged": ["true"],
  "anonymous-auth": ["true"],
  "audit-log-format": ["json"],
  "audit-log-maxbackup": ["10"],
  "audit-log-maxsize": ["200"],
  "audit-log-path": ["/var/log/kube-apiserver/audit.log"],
  "audit-policy-file": [configMapFile(resourceDir, "kube-apiserver-audit-policies", "policy.yaml")],
  "client-ca-file": [caBundle(certificateDir, "client-ca")],
  "enable-admission-plugins": enabledAdmissionPlugins,
  "enable-aggregator-routing": ["true"],
  "enable-logs-handler": ["false"],
  "endpoint-reconciler-type": ["lease"],
  "etcd-cafile": [caBundle(resourceDir, "etcd-serving-ca")],
  "etcd-certfile": [etcdClient.certFile],
  "etcd-keyfile": [etcdClient.keyFile],
  "etcd-prefix": ["kubernetes.io"],
  "etcd-healthcheck-timeout": ["9s"],
  "etcd-readycheck-timeout": ["9s"],
  "event-ttl": ["3h"],
  "goaway-chance": ["0.001"],
  "http2-max-streams-per-connection": ["2000"],
  "kubelet-certificate-authority": [caBundle(resourceDir, "kubelet-serving-ca")],
  "kubelet-client-certificate": [kubeletClient.certFile],
  "kubelet-client-key": [kubeletClient.keyFile],
  "kubelet-preferred-address-types": ["InternalIP"],
  "kubelet-read-only-port": ["0"],
  "kubernetes-service-node-port": ["0"],
  "max-mutating-requests-inflight": ["1000"],
  "max-requests-inflight": ["3000"],
  "min-request-timeout": ["3600"],
  "proxy-client-cert-file": [aggregatorClient.certFile],
  "proxy-client-key-file": [aggregatorClient.keyFile],
  "requestheader-allowed-names": [
    "kube-apiserver-proxy",
    "system:kube-apiserver-proxy",
    "system:openshift-aggregator",
  ],
  "requestheader-client-ca-file": [caBundle(certificateDir, "aggregator-client-ca")],
  "requestheader-extra-headers-prefix": ["X-Remote-Extra-"],
  "requestheader-group-headers": ["X-Remote-Group"],
  "requestheader-username-headers": ["X-Remote-User"],
  "service-account-lookup": ["true"],
  "service-node-port-range": ["30000-32767"],
  "shutdown-delay-duration": ["70s"],
  "shutdown-send-retry-after": ["true"],
  "storage-backend": ["etcd3"],
  "storage-media-type": ["application/vnd.kubernetes.protobuf"],
  "strict-transport-security-directives": ["max-age=31536000,includeSubDomains,preload"],
  "tls-cert-file": [serving.certFile],
  "tls-private-key-file": [serving.keyFile],
};

/**
 * Lowest layer of the configuration.
 * @see openshift/cluster-kube-apiserver-operator bindata/assets/config/defaultconfig.yaml
 */
export const defaultConfig: JsonObject = {
  ...configType,
  admission: {
    pluginConfig: {
      "network.openshift.io/ExternalIPRanger": {
        configuration: {
          apiVersion: "network.openshift.io/v1",
          kind: "ExternalIPRangerAdmissionConfig",
          allowIngressIP: true,
          externalIPNetworkCIDRs: null,
        },
        location: "",
      },
      PodSecurity: {
        configuration: {
          apiVersion: "pod-security.admission.config.k8s.io/v1",
          kind: "PodSecurityConfiguration",
          defaults: {
            enforce: mustBeReplaced,
            "enforce-version": mustBeReplaced,
            audit: mustBeReplaced,
            "audit-version": mustBeReplaced,
            warn: mustBeReplaced,
            "warn-version": mustBeReplaced,
          },
          // Build pods may be privileged. Admission by SecurityContextConstraints limits the users that can create them.
          exemptions: { usernames: ["system:serviceaccount:openshift-infra:build-controller"] },
        },
      },
    },
  },
  apiServerArguments: defaultArguments,
  authConfig: { oauthMetadataFile: "" },
  consolePublicURL: "",
  projectConfig: { defaultNodeSelector: "" },
  servicesSubnet: "10.3.0.0/16",
  servingInfo: { bindAddress: "0.0.0.0:6443", bindNetwork: "tcp4", namedCertificates: null },
};

/** Configuration that is added after bootstrapping. Service account tokens are bound to objects from then on. */
export const postBootstrapConfig: JsonObject = {
  ...configType,
  apiServerArguments: {
    "service-account-issuer": ["https://kubernetes.default.svc"],
    "api-audiences": ["https://kubernetes.default.svc"],
    "service-account-signing-key-file": [
      `${certificateDir}/secrets/bound-service-account-signing-key/service-account.key`,
    ],
  },
  serviceAccountPublicKeyFiles: [
    `${resourceDir}/configmaps/sa-token-signing-certs`,
    `${resourceDir}/configmaps/bound-sa-token-signing-certs`,
  ],
};
