import type {
  ChallengeCallbacks,
  Pipeline,
  PipelineRequest,
  PipelineResponse,
} from "@azure/core-rest-pipeline";
import { credentialOf, type SignedIn, scopeOf } from "./credential.ts";
import type { AzureEnvironment, AzurePrincipal } from "./environment.ts";
import { httpClient } from "./http-client.ts";
import { type RequestPolicyOptions, requestPolicy } from "./request-policy.ts";
import { restPipeline } from "./sdks.ts";
import { tlsOptionsOf } from "./tls-options.ts";

/** Principal and environment for requests without an SDK client. */
export interface SignedRequestOptions extends RequestPolicyOptions {
  readonly environment: AzureEnvironment;
  readonly credential: AzurePrincipal | SignedIn;
}

export interface SignIn {
  /** Audience of the access tokens. */
  readonly audience: string;
  /** Additional tenants for sign-in. `*` means any tenant. */
  readonly otherTenants?: readonly string[];
  readonly challengeCallbacks?: ChallengeCallbacks;
}

/**
 * Returns a function that sends requests like the SDK clients: with a token, at most three attempts, logs and metrics. It does
 * not check response statuses.
 */
export function signedPipeline(
  options: SignedRequestOptions,
  { audience, otherTenants = [], challengeCallbacks }: SignIn,
): Send {
  const { environment } = options;
  const pipeline = observedPipeline(options);
  pipeline.addPolicy(
    restPipeline().bearerTokenAuthenticationPolicy({
      credential:
        "tokens" in options.credential
          ? options.credential.tokens
          : credentialOf(environment, options.credential, otherTenants),
      scopes: [scopeOf(audience)],
      ...(challengeCallbacks ? { challengeCallbacks } : {}),
    }),
  );
  return sender(pipeline);
}

/** Returns a function that sends requests without a token, to URLs that contain their authorization. */
export function anonymousPipeline(options: Omit<SignedRequestOptions, "credential">): Send {
  return sender(observedPipeline(options));
}

export type Send = (request: PipelineRequest) => Promise<PipelineResponse>;

function observedPipeline(options: Omit<SignedRequestOptions, "credential">): Pipeline {
  const { createPipelineFromOptions, redirectPolicyName } = restPipeline();
  const pipeline = createPipelineFromOptions({
    retryOptions: { maxRetries: 2, retryDelayInMs: 500, maxRetryDelayInMs: 8_000 },
    ...tlsOptionsOf(options.environment),
  });
  // Disables redirects. The request or its URL contains credentials, which must not be sent to a different address.
  pipeline.removePolicy({ name: redirectPolicyName });
  pipeline.addPolicy(requestPolicy(options), { phase: "Sign" });
  return pipeline;
}

function sender(pipeline: Pipeline): Send {
  return (request) => pipeline.sendRequest(httpClient(), request);
}
