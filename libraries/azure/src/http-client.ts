import type { HttpClient } from "@azure/core-rest-pipeline";
import { restPipeline } from "./sdks.ts";

let client: HttpClient | undefined;

/**
 * Returns the HTTP client that all SDK clients of this process share. By default, each SDK client would open separate
 * connections.
 */
export function httpClient(): HttpClient {
  client ??= retryingBrokenPipes(restPipeline().createDefaultHttpClient());
  return client;
}

/**
 * Reports `EPIPE` as `ECONNRESET`. Both codes mean that the server has closed the connection, but SDKs only retry `ECONNRESET`.
 * `EPIPE` occurs on a busy machine, when a request is sent before this process has read the end of an idle connection.
 */
function retryingBrokenPipes(inner: HttpClient): HttpClient {
  return {
    async sendRequest(request) {
      try {
        return await inner.sendRequest(request);
      } catch (error) {
        const { isRestError, RestError } = restPipeline();
        if (!isRestError(error) || error.code !== "EPIPE") throw error;
        throw new RestError(error.message, { code: "ECONNRESET", request });
      }
    },
  };
}
