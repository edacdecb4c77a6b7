import type { AuthorizationManagementClient } from "@azure/arm-authorization";
import type { ComputeManagementClient } from "@azure/arm-compute";
import type { ContainerRegistryManagementClient } from "@azure/arm-containerregistry";
import type { DnsManagementClient } from "@azure/arm-dns";
import type { FeatureClient } from "@azure/arm-features";
import type { ManagedServiceIdentityClient } from "@azure/arm-msi";
import type { NetworkManagementClient } from "@azure/arm-network";
import type { ResourceManagementClient } from "@azure/arm-resources";
import type { DeploymentsClient } from "@azure/arm-resourcesdeployments";
import type { StorageManagementClient } from "@azure/arm-storage";
import type { Secret } from "@keelson/base";
import { type BlobContainer, connectBlobContainer } from "./blob-container.ts";
import { accessToken, type SignedIn, scopeOf, signIn } from "./credential.ts";
import type { AzureEnvironment, AzurePrincipal } from "./environment.ts";
import { httpClient } from "./http-client.ts";
import { type RawRequests, rawRequests } from "./raw-requests.ts";
import { type RequestPolicyOptions, requestPolicy } from "./request-policy.ts";
import {
  authorizationSdk,
  computeSdk,
  deploymentsSdk,
  dnsSdk,
  featuresSdk,
  identitiesSdk,
  networkSdk,
  registriesSdk,
  resourcesSdk,
  storageSdk,
} from "./sdks.ts";
import { tlsOptionsOf } from "./tls-options.ts";

export interface AzureConnectionOptions extends Omit<RequestPolicyOptions, "timeoutMs"> {
  readonly environment: AzureEnvironment;
  /**
   * Principal that signs in. An `AzurePrincipal` gives this connection a separate token cache. Connections with the same
   * `SignedIn` share its token cache.
   */
  readonly credential: AzurePrincipal | SignedIn;
  readonly subscriptionId: string;
}

/** Options of every SDK call: abort signal and poll interval of long-running operations. */
interface CallOptions {
  readonly abortSignal: AbortSignal;
  readonly updateIntervalInMs: number;
}

/** Official SDK clients of one subscription. */
interface SdkClients {
  readonly resources: ResourceManagementClient;
  readonly network: NetworkManagementClient;
  readonly compute: ComputeManagementClient;
  readonly dns: DnsManagementClient;
  readonly authorization: AuthorizationManagementClient;
  /** Client for managed identities and their federated credentials. */
  readonly identities: ManagedServiceIdentityClient;
  /** Client for the subscription's preview features. */
  readonly features: FeatureClient;
  /** Client for ARM template deployments. */
  readonly deployments: DeploymentsClient["deployments"];
  readonly storage: StorageManagementClient;
  readonly registries: ContainerRegistryManagementClient;
}

/** Azure clients of one subscription and one principal. */
export interface AzureClients extends SdkClients {
  /**
   * Returns a client for a storage container. Authenticates with `signature`, a shared access signature. Default: with the
   * principal.
   */
  blobContainer(containerUrl: string, signature?: Secret): BlobContainer;
  readonly raw: RawRequests;
  /**
   * Returns the options for an SDK call. An abort ends only the wait for an operation. Azure continues operations that it has
   * accepted.
   */
  call(signal: AbortSignal): CallOptions;
  /**
   * Returns a bearer token. Default audience: ARM.
   * @throws InvalidCredentials, IdentityProviderUnavailable
   */
  getToken(signal: AbortSignal, audience?: string): Promise<string>;
}

/**
 * Each SDK call makes at most three attempts. `armRetry` handles longer outages, because it reports each failed attempt to the
 * installation step.
 */
const retryOptions = { maxRetries: 2, retryDelayInMs: 500, maxRetryDelayInMs: 8_000 };

/** Creates the clients. Sends no request. */
export function connectAzure(options: AzureConnectionOptions): AzureClients {
  const { environment, subscriptionId } = options;
  const signedIn =
    "tokens" in options.credential ? options.credential : signIn(environment, options.credential);
  const credential = signedIn.tokens;
  const scope = scopeOf(environment.audience);
  const endpoint = environment.armEndpoint.replace(/\/+$/, "");
  const pipeline = {
    retryOptions,
    ...tlsOptionsOf(environment),
  };
  const shared = {
    ...pipeline,
    httpClient: httpClient(),
    endpoint,
    additionalPolicies: [{ policy: requestPolicy(options), position: "perRetry" as const }],
  };
  const modern = { ...shared, credentials: { scopes: [scope] } };
  const classic = { ...shared, $host: endpoint, credentialScopes: scope };
  const sdks = madeWhenAsked<SdkClients>({
    resources: () => new (resourcesSdk().ResourceManagementClient)(credential, subscriptionId, modern),
    network: () => new (networkSdk().NetworkManagementClient)(credential, subscriptionId, modern),
    compute: () => new (computeSdk().ComputeManagementClient)(credential, subscriptionId, modern),
    dns: () => new (dnsSdk().DnsManagementClient)(credential, subscriptionId, classic),
    authorization: () =>
      new (authorizationSdk().AuthorizationManagementClient)(credential, subscriptionId, classic),
    identities: () => new (identitiesSdk().ManagedServiceIdentityClient)(credential, subscriptionId, classic),
    features: () => new (featuresSdk().FeatureClient)(credential, subscriptionId, classic),
    deployments: () =>
      new (deploymentsSdk().DeploymentsClient)(credential, subscriptionId, modern).deployments,
    storage: () => new (storageSdk().StorageManagementClient)(credential, subscriptionId, modern),
    registries: () =>
      new (registriesSdk().ContainerRegistryManagementClient)(credential, subscriptionId, modern),
  });
  return Object.assign(sdks, {
    blobContainer: (containerUrl: string, signature?: Secret) =>
      connectBlobContainer({
        ...options,
        credential: signedIn,
        containerUrl,
        signature,
      }),
    raw: rawRequests({ ...options, endpoint, credential, scope, pipeline }),
    call: (abortSignal: AbortSignal) => ({
      abortSignal,
      updateIntervalInMs: environment.pollIntervalMs ?? 2_000,
    }),
    getToken: (signal: AbortSignal, audience?: string) =>
      accessToken(credential, environment, signedIn.tenantId, signal, audience),
  });
}

/** Returns an object that creates each property at its first use. */
function madeWhenAsked<T extends object>(makers: { readonly [K in keyof T]: () => T[K] }): T {
  const made = {} as T;
  for (const name of Object.keys(makers) as (keyof T & string)[]) {
    const get = () => {
      const value = makers[name]();
      Object.defineProperty(made, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(made, name, { get, enumerable: true, configurable: true });
  }
  return made;
}
