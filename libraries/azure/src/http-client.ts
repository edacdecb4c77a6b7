import type { HttpClient } from "@azure/core-rest-pipeline";
import { restPipeline } from "./sdks.ts";

let client: HttpClient | undefined;

/** What sends the requests of all clients in this process. Each of the SDKs' own HTTP clients keeps connections of its own. */
export function httpClient(): HttpClient {
  client ??= restPipeline().createDefaultHttpClient();
  return client;
}
