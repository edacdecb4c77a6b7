import { objectAt } from "@keelson/base";
import type { SparseConfig } from "@keelson/operator-kit";
import { flag, integer, list, map, number, object, raw, restrict, type Shape, text } from "./shapes.ts";

const texts = list(text);
const keyPair = { certFile: text, keyFile: text };
const userAgentRule = { regex: text, httpVerbs: texts };

/**
 * Fields of KubeAPIServerConfig, the type of an API server's configuration file.
 * @see openshift/api kubecontrolplane/v1/types.go, config/v1/types.go, osin/v1/types.go
 */
const apiServerMembers: Readonly<Record<string, Shape>> = {
  apiVersion: text,
  kind: text,
  servingInfo: object(
    {
      bindAddress: text,
      bindNetwork: text,
      ...keyPair,
      clientCA: text,
      namedCertificates: list(object({ names: texts, ...keyPair }, "names")),
      minTLSVersion: text,
      cipherSuites: texts,
      maxRequestsInFlight: integer,
      requestTimeoutSeconds: integer,
    },
    "clientCA",
    "namedCertificates",
    "minTLSVersion",
    "cipherSuites",
  ),
  corsAllowedOrigins: texts,
  auditConfig: object({
    enabled: flag,
    auditFilePath: text,
    maximumFileRetentionDays: integer,
    maximumRetainedFiles: integer,
    maximumFileSizeMegabytes: integer,
    policyFile: text,
    policyConfiguration: raw,
    logFormat: text,
    webHookKubeConfig: text,
    webHookMode: text,
  }),
  storageConfig: object({ urls: texts, ca: text, ...keyPair, storagePrefix: text }, "urls"),
  admission: object(
    {
      pluginConfig: map(object({ location: text, configuration: raw })),
      enabledPlugins: texts,
      disabledPlugins: texts,
    },
    "pluginConfig",
    "enabledPlugins",
    "disabledPlugins",
  ),
  kubeClientConfig: object({
    kubeConfig: text,
    connectionOverrides: object({ acceptContentTypes: text, contentType: text, qps: number, burst: integer }),
  }),
  authConfig: object({
    requestHeader: object({
      clientCA: text,
      clientCommonNames: texts,
      usernameHeaders: texts,
      groupHeaders: texts,
      extraHeaderPrefixes: texts,
    }),
    webhookTokenAuthenticators: list(object({ configFile: text, cacheTTL: text })),
    oauthMetadataFile: text,
  }),
  aggregatorConfig: object({ proxyClientInfo: object(keyPair) }),
  kubeletClientInfo: object({ port: integer, ca: text, ...keyPair }),
  servicesSubnet: text,
  servicesNodePortRange: text,
  consolePublicURL: text,
  userAgentMatchingConfig: object({
    requiredClients: list(object(userAgentRule)),
    deniedClients: list(object({ ...userAgentRule, rejectionMessage: text })),
    defaultRejectionMessage: text,
  }),
  imagePolicyConfig: object({ internalRegistryHostname: text, externalRegistryHostnames: texts }),
  projectConfig: object({ defaultNodeSelector: text }),
  serviceAccountPublicKeyFiles: texts,
  oauthConfig: object(
    {
      masterCA: text,
      masterURL: text,
      masterPublicURL: text,
      loginURL: text,
      assetPublicURL: text,
      alwaysShowProviderSelection: flag,
      identityProviders: list(
        object({ name: text, challenge: flag, login: flag, mappingMethod: text, provider: raw }),
      ),
      grantConfig: object({ method: text, serviceAccountMethod: text }),
      sessionConfig: object({ sessionSecretsFile: text, sessionMaxAgeSeconds: integer, sessionName: text }),
      tokenConfig: object(
        {
          authorizeTokenMaxAgeSeconds: integer,
          accessTokenMaxAgeSeconds: integer,
          accessTokenInactivityTimeoutSeconds: integer,
          accessTokenInactivityTimeout: text,
        },
        "authorizeTokenMaxAgeSeconds",
        "accessTokenMaxAgeSeconds",
      ),
      templates: object({ login: text, providerSelection: text, error: text }),
      proxyTrustedCA: text,
    },
    "proxyTrustedCA",
  ),
  apiServerArguments: map(texts),
  minimumKubeletVersion: text,
};

/** Fields that only this operator reads, in `operand/`, `controllers/encryption/` and `connectivity-checks/`. */
const operatorMembers: Readonly<Record<string, Shape>> = {
  targetconfigcontroller: object({ proxy: map(text) }),
  gracefulTerminationDuration: text,
  garbageCollectionTargetPercentage: text,
  encryption: object({ reason: text }),
  operator: object({ enableConnectivityCheckController: text }),
  startupMonitor: flag,
};

const apiServerConfig = object(apiServerMembers);
const layerConfig = object({ ...apiServerMembers, ...operatorMembers });

export interface KnownConfig {
  readonly config: SparseConfig;
  /** Paths that API servers do not support, in document order. `config` does not contain values at these paths. */
  readonly unknown: readonly string[];
}

/**
 * Removes the fields that API servers do not support.
 * @throws Error with the path of a value of the wrong type
 */
export function restrictToKnown(config: SparseConfig): KnownConfig {
  const unknown: string[] = [];
  const known = restrict(config, apiServerConfig, "", unknown);
  return { config: objectAt(known), unknown };
}

/**
 * Returns the paths that neither API servers nor this operator read in a layer, for example in `spec.unsupportedConfigOverrides`.
 * @throws Error with the path of a value of the wrong type
 */
export function ignoredPaths(layer: SparseConfig): readonly string[] {
  const unknown: string[] = [];
  restrict(layer, layerConfig, "", unknown);
  return unknown;
}
