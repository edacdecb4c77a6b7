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

/** Principal and environment for requests without an official client. */
export interface SignedRequestOptions extends RequestPolicyOptions {
  readonly environment: AzureEnvironment;
  readonly credential: AzurePrincipal | SignedIn;
}

export interface SignIn {
  /** The resource that tokens are for. */
  readonly audience: string;
  /** Additional tenants for sign-in, `*` for any. */
  readonly otherTenants?: readonly string[];
  readonly challengeCallbacks?: ChallengeCallbacks;
}

/**
 * Sends requests like the official clients: signed in, at most three attempts, observed. Response statuses
 * are not evaluated.
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

/** Sends requests without sign-in to URLs with their own authorization. */
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
  // The request or its URL is signed, so it must not follow a redirect to a different address.
  pipeline.removePolicy({ name: redirectPolicyName });
  pipeline.addPolicy(requestPolicy(options), { phase: "Sign" });
  return pipeline;
}

function sender(pipeline: Pipeline): Send {
  return (request) => pipeline.sendRequest(httpClient(), request);
}
