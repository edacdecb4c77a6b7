import type { KubeObject } from "@keelson/apimachinery";
import type { WorkBudget } from "@keelson/base";
import type { User } from "../auth/user.ts";
import type { ServedResource } from "./served-resource.ts";

/** A write as admission sees it (admission.k8s.io/v1 AdmissionRequest). */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly resource: ServedResource;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly namespace: string | undefined;
  /** Empty while the server has not yet generated it. */
  readonly name: string;
  /** Absent for DELETE. */
  readonly object: KubeObject | undefined;
  /** Absent for CREATE and CONNECT. */
  readonly oldObject: KubeObject | undefined;
  readonly user: User;
  /** What the request may still take; as much as any when absent. */
  readonly budget?: WorkBudget | undefined;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions, as the client gave them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Sends a warning to the client. */
  readonly warn: (text: string) => void;
}

/** What may change or refuse a write after authorization: policies and webhooks. */
export interface Admission {
  /** Whether anybody is to be asked at all. Cheap: it is called for every write. */
  handles(request: AdmissionRequest): boolean;
  /** The object as mutating admission leaves it. @throws StatusError */
  mutate(request: AdmissionRequest): Promise<KubeObject>;
  /** Resolves when nobody objects to the object as it would be stored. @throws StatusError */
  validate(request: AdmissionRequest): Promise<void>;
}
