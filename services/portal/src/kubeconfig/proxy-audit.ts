import type { Logger } from "@keelson/base";
import type { KubeconfigSession } from "./kubeconfig-session.ts";
import type { RequestAttributes } from "./request-attributes.ts";
import type { RequestHead } from "./upstream.ts";

/**
 * Writes an audit line for each request with a kubeconfig. The line contains the person, the cluster, the request and the result.
 */
export class ProxyAudit {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  served(
    { method, headers }: RequestHead,
    asked: { readonly session: KubeconfigSession; readonly attributes: RequestAttributes },
    status: number,
  ): void {
    const { username, id, clusterId, elevated } = asked.session;
    this.#logger.info(
      {
        logKind: "audit",
        operation: `${method} kubeconfig/proxy`,
        caller: username,
        session: id,
        target: clusterId,
        elevated,
        request: asked.attributes,
        impersonates: headers["impersonate-user"],
        userAgent: headers["user-agent"],
        status,
        result: status < 400 ? "Success" : "Fail",
      },
      "request served",
    );
  }

  /** Writes the audit line of a request that the portal did not forward to a cluster. */
  refused({ method }: RequestHead, status: number, reason: string, session?: KubeconfigSession): void {
    this.#logger.info(
      {
        logKind: "audit",
        operation: `${method} kubeconfig/proxy`,
        caller: session?.username,
        session: session?.id,
        status,
        result: "Fail",
        reason,
      },
      "request refused",
    );
  }
}
