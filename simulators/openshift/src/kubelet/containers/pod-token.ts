import type { KubeObject, LogicalCluster } from "@keelson/apiserver";
import type { Clock } from "@keelson/base";
import { numberAt, textAt } from "../../base/fields.ts";

/** What kubelets ask for where a pod does not say. */
export const tokenSeconds = 3_607;
const maxLifeMs = 24 * 3_600_000;

/**
 * The token of one `serviceAccountToken` source. Another one is asked for when four fifths of its life, or a day, have
 * passed (K/kubernetes pkg/kubelet/token/token_manager.go).
 */
export class PodToken {
  readonly #cluster: LogicalCluster;
  readonly #clock: Clock;
  #token: { readonly text: string; readonly renewAtMs: number } | undefined;

  constructor(cluster: LogicalCluster, clock: Clock) {
    this.#cluster = cluster;
    this.#clock = clock;
  }

  /** @throws StatusError when the account or the pod is gone */
  async current(pod: KubeObject, source: unknown): Promise<string> {
    const nowMs = this.#clock.now().getTime();
    if (this.#token && nowMs < this.#token.renewAtMs) return this.#token.text;
    const { namespace = "", name, uid } = pod.metadata;
    const audience = textAt(source, "audience");
    const expirationSeconds = numberAt(source, "expirationSeconds") ?? tokenSeconds;
    const issued = await this.#cluster.issueToken({
      namespace,
      serviceAccount: textAt(pod, "spec", "serviceAccountName") ?? "default",
      expirationSeconds,
      ...(audience ? { audiences: [audience] } : {}),
      boundObject: { kind: "Pod", name, ...(uid ? { uid } : {}) },
    });
    const renewAtMs = nowMs + Math.min(expirationSeconds * 800, maxLifeMs);
    this.#token = { text: issued.token, renewAtMs };
    return issued.token;
  }
}
