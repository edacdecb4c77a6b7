import { numberAt, stringAt } from "@keelson/base";
import { type KubeObject, type KubeResource, resources } from "@keelson/kube";

/** Fields of a coordination.k8s.io/v1 Lease that leader election uses. Times are RFC 3339 with microseconds. */
export interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export const leases: KubeResource<Lease> = resources.leases;

export interface LeaseHolder {
  /** Identity of the holder. Empty for a free lease. */
  readonly identity: string;
  readonly durationMs: number;
  readonly transitions: number;
  readonly acquireTime: string | undefined;
  /** String that changes with each renewal of the holder, for comparison. */
  readonly observed: string;
}

export function holderOf(lease: Lease): LeaseHolder {
  const identity = stringAt(lease, "spec", "holderIdentity") ?? "";
  const renewTime = stringAt(lease, "spec", "renewTime") ?? "";
  return {
    identity,
    durationMs: (numberAt(lease, "spec", "leaseDurationSeconds") ?? 0) * 1_000,
    transitions: numberAt(lease, "spec", "leaseTransitions") ?? 0,
    acquireTime: stringAt(lease, "spec", "acquireTime"),
    observed: `${identity} ${renewTime}`,
  };
}

/** Formats a time as `metav1.MicroTime`, with six decimal places. */
export function microTime(time: Date): string {
  return time.toISOString().replace("Z", "000Z");
}
