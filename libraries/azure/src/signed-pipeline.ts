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

/** As whom, and where, what has no official client is asked. */
export interface SignedRequestOptions extends RequestPolicyOptions {
  readonly environment: AzureEnvironment;
  readonly credential: AzurePrincipal | SignedIn;
}

export interface SignIn {
  /** The resource that tokens are for. */
  readonly audience: string;
  /** Tenants to sign in to besides the credential's own, `*` for any. */
  readonly otherTenants?: readonly string[];
  readonly challengeCallbacks?: ChallengeCallbacks;
}

/** Sends requests as the official clients do: signed in, tried three times at most, observed. Answers are not judged. */
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

/** Likewise for addresses that carry their own authorization: nobody signs in. */
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
  // What is sent is signed, or its URL is: it goes where it was meant to and no further.
  pipeline.removePolicy({ name: redirectPolicyName });
  pipeline.addPolicy(requestPolicy(options), { phase: "Sign" });
  return pipeline;
}

function sender(pipeline: Pipeline): Send {
  return (request) => pipeline.sendRequest(httpClient(), request);
}
