import type { Clock } from "@keelson/base";
import type { EventText } from "@keelson/controller";
import type { KubeApi, KubeObject, KubeResource, ObjectKey } from "@keelson/kube";
import type { RotationPolicy } from "./certificate-rotation.ts";

export interface RotationDeps {
  readonly api: Pick<KubeApi, "create" | "mergePatch" | "delete">;
  /** Returns the last observed version of an object. If this version is stale, the server rejects a write that is based on it. */
  readonly find: (resource: KubeResource, key: ObjectKey) => Promise<KubeObject | undefined>;
  readonly report: (event: EventText) => void;
  readonly clock: Clock;
  readonly policy: RotationPolicy;
  readonly signal: AbortSignal;
}
