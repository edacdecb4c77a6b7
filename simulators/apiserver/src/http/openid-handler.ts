import { failures } from "@keelson/apimachinery";
import type { Cluster } from "../cluster/cluster.ts";
import type { PathRequest } from "./messages/request.ts";
import { send } from "./messages/respond.ts";

const keysPath = "/openid/v1/jwks";
const configurationPath = "/.well-known/openid-configuration";
const headers = { "cache-control": "public, max-age=3600" };

/** True for the paths of documents that clients use to verify service account tokens. */
export function isOpenId(path: string): boolean {
  return path === keysPath || path === configurationPath;
}

/** Handles the key set (RFC 7517) and the discovery document (OpenID Connect Discovery 1.0). */
export async function handleOpenId(cluster: Cluster, { method, info, response }: PathRequest): Promise<void> {
  if (method !== "GET" && method !== "HEAD") throw failures.methodNotAllowed();
  const key = await cluster.keys.tokenKey();
  if (info.path === keysPath) {
    send(
      response,
      200,
      "application/jwk-set+json",
      Buffer.from(JSON.stringify({ keys: [key.jwk] })),
      headers,
    );
    return;
  }
  const document = {
    issuer: cluster.tokens.issuer,
    jwks_uri: `${cluster.url}${keysPath}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [key.algorithm],
  };
  send(response, 200, "application/json", Buffer.from(JSON.stringify(document)), headers);
}
