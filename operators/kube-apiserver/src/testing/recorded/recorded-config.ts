/**
 * Arguments in the `config.yaml` that OpenShift's Go operator creates for a cluster of three masters on Azure with one user
 * certificate. They were recorded in November 2026 from a build of the operator's main branch. `$SP` and `$SC` are the
 * directories of resources and certificates on a master. Feature gates are excluded, because they depend on the cluster.
 */
export const recordedArguments: Readonly<Record<string, string>> = {
  "allow-privileged": "true",
  "anonymous-auth": "true",
  "api-audiences": "https://kubernetes.default.svc",
  "audit-log-format": "json",
  "audit-log-maxbackup": "10",
  "audit-log-maxsize": "200",
  "audit-log-path": "/var/log/kube-apiserver/audit.log",
  "audit-policy-file": "$SP/configmaps/kube-apiserver-audit-policies/policy.yaml",
  "authorization-mode": "Scope,SystemMasters,RBAC,Node",
  "client-ca-file": "$SC/configmaps/client-ca/ca-bundle.crt",
  "enable-admission-plugins":
    "CertificateApproval,CertificateSigning,CertificateSubjectRestriction,DefaultIngressClass,DefaultStorageClass,DefaultTolerationSeconds,LimitRanger,MutatingAdmissionWebhook,NamespaceLifecycle,NodeRestriction,OwnerReferencesPermissionEnforcement,PersistentVolumeClaimResize,PodNodeSelector,PodTolerationRestriction,Priority,ResourceQuota,RuntimeClass,ServiceAccount,StorageObjectInUseProtection,TaintNodesByCondition,ValidatingAdmissionPolicy,ValidatingAdmissionWebhook,authorization.openshift.io/RestrictSubjectBindings,authorization.openshift.io/ValidateRoleBindingRestriction,config.openshift.io/DenyDeleteClusterConfiguration,config.openshift.io/ValidateAPIServer,config.openshift.io/ValidateAuthentication,config.openshift.io/ValidateConsole,config.openshift.io/ValidateFeatureGate,config.openshift.io/ValidateImage,config.openshift.io/ValidateOAuth,config.openshift.io/ValidateProject,config.openshift.io/ValidateScheduler,image.openshift.io/ImagePolicy,network.openshift.io/ExternalIPRanger,network.openshift.io/RestrictedEndpointsAdmission,quota.openshift.io/ClusterResourceQuota,quota.openshift.io/ValidateClusterResourceQuota,route.openshift.io/IngressAdmission,scheduling.openshift.io/OriginPodNodeEnvironment,security.openshift.io/DefaultSecurityContextConstraints,security.openshift.io/SCCExecRestrictions,security.openshift.io/SecurityContextConstraint,security.openshift.io/ValidateSecurityContextConstraints,storage.openshift.io/CSIInlineVolumeSecurity",
  "enable-aggregator-routing": "true",
  "enable-logs-handler": "false",
  "endpoint-reconciler-type": "lease",
  "etcd-cafile": "$SP/configmaps/etcd-serving-ca/ca-bundle.crt",
  "etcd-certfile": "$SP/secrets/etcd-client/tls.crt",
  "etcd-healthcheck-timeout": "9s",
  "etcd-keyfile": "$SP/secrets/etcd-client/tls.key",
  "etcd-prefix": "kubernetes.io",
  "etcd-readycheck-timeout": "9s",
  "etcd-servers": "https://10.0.0.7:2379,https://10.0.0.8:2379,https://10.0.0.9:2379,https://localhost:2379",
  "event-ttl": "3h",
  "goaway-chance": "0.001",
  "http2-max-streams-per-connection": "2000",
  "kubelet-certificate-authority": "$SP/configmaps/kubelet-serving-ca/ca-bundle.crt",
  "kubelet-client-certificate": "$SC/secrets/kubelet-client/tls.crt",
  "kubelet-client-key": "$SC/secrets/kubelet-client/tls.key",
  "kubelet-preferred-address-types": "InternalIP",
  "kubelet-read-only-port": "0",
  "kubernetes-service-node-port": "0",
  "max-mutating-requests-inflight": "1000",
  "max-requests-inflight": "3000",
  "min-request-timeout": "3600",
  "proxy-client-cert-file": "$SC/secrets/aggregator-client/tls.crt",
  "proxy-client-key-file": "$SC/secrets/aggregator-client/tls.key",
  "requestheader-allowed-names":
    "kube-apiserver-proxy,system:kube-apiserver-proxy,system:openshift-aggregator",
  "requestheader-client-ca-file": "$SC/configmaps/aggregator-client-ca/ca-bundle.crt",
  "requestheader-extra-headers-prefix": "X-Remote-Extra-",
  "requestheader-group-headers": "X-Remote-Group",
  "requestheader-username-headers": "X-Remote-User",
  "send-retry-after-while-not-ready-once": "false",
  "service-account-issuer": "https://kubernetes.default.svc",
  "service-account-jwks-uri": "https://api.test.example:6443/openid/v1/jwks",
  "service-account-lookup": "true",
  "service-account-signing-key-file": "$SC/secrets/bound-service-account-signing-key/service-account.key",
  "service-node-port-range": "30000-32767",
  "shutdown-delay-duration": "70s",
  "shutdown-send-retry-after": "true",
  "storage-backend": "etcd3",
  "storage-media-type": "application/vnd.kubernetes.protobuf",
  "strict-transport-security-directives": "max-age=31536000,includeSubDomains,preload",
  "tls-cert-file": "$SC/secrets/service-network-serving-certkey/tls.crt",
  "tls-private-key-file": "$SC/secrets/service-network-serving-certkey/tls.key",
};

/** Configuration values by path. The arguments are excluded. */
export const recordedSettings: Readonly<Record<string, unknown>> = {
  "admission pluginConfig PodSecurity configuration apiVersion": "pod-security.admission.config.k8s.io/v1",
  "admission pluginConfig PodSecurity configuration defaults audit": "restricted",
  "admission pluginConfig PodSecurity configuration defaults audit-version": "latest",
  "admission pluginConfig PodSecurity configuration defaults enforce": "restricted",
  "admission pluginConfig PodSecurity configuration defaults enforce-version": "latest",
  "admission pluginConfig PodSecurity configuration defaults warn": "restricted",
  "admission pluginConfig PodSecurity configuration defaults warn-version": "latest",
  "admission pluginConfig PodSecurity configuration exemptions usernames": [
    "system:serviceaccount:openshift-infra:build-controller",
  ],
  "admission pluginConfig PodSecurity configuration kind": "PodSecurityConfiguration",
  "admission pluginConfig network.openshift.io/ExternalIPRanger configuration allowIngressIP": false,
  "admission pluginConfig network.openshift.io/ExternalIPRanger configuration apiVersion":
    "network.openshift.io/v1",
  "admission pluginConfig network.openshift.io/ExternalIPRanger configuration externalIPNetworkCIDRs": null,
  "admission pluginConfig network.openshift.io/ExternalIPRanger configuration kind":
    "ExternalIPRangerAdmissionConfig",
  "admission pluginConfig network.openshift.io/ExternalIPRanger location": "",
  "admission pluginConfig network.openshift.io/RestrictedEndpointsAdmission configuration apiVersion":
    "network.openshift.io/v1",
  "admission pluginConfig network.openshift.io/RestrictedEndpointsAdmission configuration kind":
    "RestrictedEndpointsAdmissionConfig",
  "admission pluginConfig network.openshift.io/RestrictedEndpointsAdmission configuration restrictedCIDRs": [
    "10.128.0.0/14",
    "172.30.0.0/16",
  ],
  apiVersion: "kubecontrolplane.config.openshift.io/v1",
  "authConfig oauthMetadataFile": "",
  consolePublicURL: "",
  corsAllowedOrigins: ["//127\\.0\\.0\\.1(:|$)", "//localhost(:|$)"],
  "imagePolicyConfig internalRegistryHostname": "registry.svc:5000",
  kind: "KubeAPIServerConfig",
  "projectConfig defaultNodeSelector": "",
  serviceAccountPublicKeyFiles: [
    "$SP/configmaps/sa-token-signing-certs",
    "$SP/configmaps/bound-sa-token-signing-certs",
  ],
  servicesSubnet: "172.30.0.0/16",
  "servingInfo bindAddress": "0.0.0.0:6443",
  "servingInfo bindNetwork": "tcp4",
  "servingInfo cipherSuites": [
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
  ],
  "servingInfo minTLSVersion": "VersionTLS12",
  "servingInfo namedCertificates": [
    "$SC/secrets/localhost-serving-cert-certkey/tls.crt $SC/secrets/localhost-serving-cert-certkey/tls.key",
    "$SC/secrets/service-network-serving-certkey/tls.crt $SC/secrets/service-network-serving-certkey/tls.key",
    "$SC/secrets/external-loadbalancer-serving-certkey/tls.crt $SC/secrets/external-loadbalancer-serving-certkey/tls.key",
    "$SC/secrets/internal-loadbalancer-serving-certkey/tls.crt $SC/secrets/internal-loadbalancer-serving-certkey/tls.key",
    "$SP/secrets/localhost-recovery-serving-certkey/tls.crt $SP/secrets/localhost-recovery-serving-certkey/tls.key",
    "$SC/secrets/user-serving-cert-000/tls.crt $SC/secrets/user-serving-cert-000/tls.key api.test.example",
  ],
};

/** Values that are different if the TLS profile is `Modern`. */
export const recordedModern: Readonly<Record<string, unknown>> = {
  "servingInfo cipherSuites": [
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
  ],
  "servingInfo minTLSVersion": "VersionTLS13",
};
