import type { ConfigObserver } from "@keelson/operator-kit";
import { observeAdmissionPlugins } from "./admission-plugins.ts";
import { observeAllowedRegistries } from "./allowed-registries.ts";
import { authorizationModeObserver } from "./authorization-mode.ts";
import { removeCloudConfig } from "./cloud-config.ts";
import { observeCorsOrigins } from "./cors-origins.ts";
import { observeDefaultNodeSelector } from "./default-node-selector.ts";
import { observeEncryptionConfig } from "./encryption-config.ts";
import { observeEtcdEndpoints } from "./etcd-endpoints.ts";
import { eventTtlObserver } from "./event-ttl.ts";
import { observeExternalIpPolicy } from "./external-ip.ts";
import { externalOidcObserver } from "./external-oidc.ts";
import { observeExternalRegistryHostnames } from "./external-registry-hostnames.ts";
import { featureGatesObserver } from "./feature-gates.ts";
import { observeGoawayChance } from "./goaway-chance.ts";
import { observeGracefulTermination } from "./graceful-termination.ts";
import { withReadableInputs } from "./input-shapes.ts";
import { observeInstallNetworks } from "./install-networks.ts";
import { observeInternalRegistryHostname } from "./internal-registry-hostname.ts";
import { observeLatencyProfile } from "./latency-profile.ts";
import { minimumKubeletVersionObserver } from "./minimum-kubelet-version.ts";
import { observeNamedCertificates } from "./named-certificates.ts";
import { observeNodePortRange } from "./node-port-range.ts";
import { observeOauthMetadata } from "./oauth-metadata.ts";
import { podSecurityObserver } from "./pod-security.ts";
import { observeProxy } from "./proxy.ts";
import { observeRestrictedNetworks } from "./restricted-networks.ts";
import { observeRetryAfter } from "./retry-after.ts";
import { observeServiceAccountIssuer } from "./service-account-issuer.ts";
import { observeServicesSubnet } from "./services-subnet.ts";
import { observeShutdownDelay } from "./shutdown-delay.ts";
import { observeTlsSecurityProfile } from "./tls-security-profile.ts";
import { observeUserClientCa } from "./user-client-ca.ts";
import { observeWebhookAuthenticator } from "./webhook-authenticator.ts";

/** Returns all observers of the operator. Some observers depend on the feature gates of the cluster version. */
export function configObservers(version: string): readonly ConfigObserver[] {
  return [
    observeNamedCertificates,
    observeUserClientCa,
    observeCorsOrigins,
    observeShutdownDelay,
    observeGracefulTermination,
    observeRetryAfter,
    observeGoawayChance,
    observeAdmissionPlugins,
    eventTtlObserver(version),
    observeTlsSecurityProfile,
    observeOauthMetadata,
    observeServiceAccountIssuer,
    observeWebhookAuthenticator,
    externalOidcObserver(version),
    podSecurityObserver(version),
    observeEncryptionConfig,
    observeEtcdEndpoints,
    removeCloudConfig,
    featureGatesObserver(version),
    observeRestrictedNetworks,
    observeInstallNetworks,
    observeServicesSubnet,
    observeExternalIpPolicy,
    observeNodePortRange,
    observeLatencyProfile,
    minimumKubeletVersionObserver(version),
    authorizationModeObserver(version),
    observeProxy,
    observeInternalRegistryHostname,
    observeExternalRegistryHostnames,
    observeAllowedRegistries,
    observeDefaultNodeSelector,
  ].map(withReadableInputs);
}
