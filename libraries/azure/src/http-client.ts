import type { HttpClient } from "@azure/core-rest-pipeline";
import { restPipeline } from "./sdks.ts";

let client: HttpClient | undefined;

/**
 * Returns the HTTP client that all SDK clients of this process share. By default, each SDK client would open separate
 * connections.
 */
export function httpClient(): HttpClient {
  client ??= restPipeline().createDefaultHttpClient();
  return client;
}
