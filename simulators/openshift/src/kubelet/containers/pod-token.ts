import type { KubeObject, LogicalCluster } from "@keelson/apiserver";
import type { Clock } from "@keelson/base";
import { numberAt, stringAt } from "@keelson/base";

/** Token lifetime in seconds: the kubelet's default `expirationSeconds`. */
export const tokenSeconds = 3_607;
const maxLifeMs = 24 * 3_600_000;

/**
 * Token of one `serviceAccountToken` source. It is renewed after four fifths of its lifetime or after one day, whichever is
 * earlier (K/kubernetes pkg/kubelet/token/token_manager.go).
 */
export class PodToken {
  readonly #cluster: LogicalCluster;
  readonly #clock: Clock;
  #token: { readonly text: string; readonly renewAtMs: number } | undefined;

  constructor(cluster: LogicalCluster, clock: Clock) {
    this.#cluster = cluster;
    this.#clock = clock;
  }

  /** Returns a valid token. @throws StatusError if the account or the pod has been deleted */
  async current(pod: KubeObject, source: unknown): Promise<string> {
    const nowMs = this.#clock.now().getTime();
    if (this.#token && nowMs < this.#token.renewAtMs) return this.#token.text;
    const { namespace = "", name, uid } = pod.metadata;
    const audience = stringAt(source, "audience");
    const expirationSeconds = numberAt(source, "expirationSeconds") ?? tokenSeconds;
    const issued = await this.#cluster.issueToken({
      namespace,
      serviceAccount: stringAt(pod, "spec", "serviceAccountName") ?? "default",
      expirationSeconds,
      audiences: audience ? [audience] : undefined,
      boundObject: { kind: "Pod", name, ...(uid ? { uid } : {}) },
    });
    const renewAtMs = nowMs + Math.min(expirationSeconds * 800, maxLifeMs);
    this.#token = { text: issued.token, renewAtMs };
    return issued.token;
  }
}
