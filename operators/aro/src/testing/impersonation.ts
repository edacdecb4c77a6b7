import { request } from "node:https";
import { parse } from "yaml";

export interface ImpersonatedRequest {
  /** HTTP method. PATCH sends a merge patch. */
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly user: string;
  readonly groups: readonly string[];
}

export interface ImpersonatedResponse {
  readonly status: number;
  /** Message of the response. Empty if the response is not a Status. */
  readonly message: string;
}

/**
 * Sends one request as a different user through impersonation. Uses the administrator's kubeconfig, which has a client
 * certificate.
 */
export async function requestAs(
  kubeconfig: string,
  options: ImpersonatedRequest,
): Promise<ImpersonatedResponse> {
  const { method, path, body, user, groups } = options;
  const { clusters, users } = parse(kubeconfig);
  const { server, "certificate-authority-data": ca } = clusters[0].cluster;
  const { "client-certificate-data": cert, "client-key-data": key } = users[0].user;
  const pem = (data: string) => Buffer.from(data, "base64");
  const { promise, resolve, reject } = Promise.withResolvers<ImpersonatedResponse>();
  const sent = request(
    `${server}${path}`,
    {
      method,
      agent: false,
      ca: pem(ca),
      cert: pem(cert),
      key: pem(key),
      headers: {
        "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
        "impersonate-user": user,
        "impersonate-group": [...groups],
      },
    },
    async (response) => {
      const chunks = await Array.fromAsync(response);
      const answer = JSON.parse(Buffer.concat(chunks).toString());
      resolve({ status: response.statusCode ?? 0, message: String(answer.message ?? "") });
    },
  );
  sent.on("error", reject);
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}
