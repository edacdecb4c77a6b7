import { numberAt, stringAt } from "@keelson/base";
import { type KubeObject, type KubeResource, resources } from "@keelson/kube";

/** coordination.k8s.io/v1 Lease, as far as leader election uses it. Times are RFC 3339 with microseconds. */
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
  /** Empty for a free lease. */
  readonly identity: string;
  readonly durationMs: number;
  readonly transitions: number;
  readonly acquireTime: string | undefined;
  /** Changes whenever the holder renews. */
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

/** `metav1.MicroTime`: with six digits of a second. */
export function microTime(time: Date): string {
  return time.toISOString().replace("Z", "000Z");
}
