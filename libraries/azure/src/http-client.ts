import type { HttpClient } from "@azure/core-rest-pipeline";
import { restPipeline } from "./sdks.ts";

let client: HttpClient | undefined;

/**
 * HTTP client of all SDK clients in this process. The SDKs' own HTTP clients would each have separate
 * connections.
 */
export function httpClient(): HttpClient {
  client ??= restPipeline().createDefaultHttpClient();
  return client;
}
