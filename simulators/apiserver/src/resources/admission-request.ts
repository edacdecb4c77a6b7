import type { KubeObject } from "@keelson/apimachinery";
import type { WorkBudget } from "@keelson/base";
import type { User } from "../auth/user.ts";
import type { ServedResource } from "./served-resource.ts";

/** Write request for admission (admission.k8s.io/v1 AdmissionRequest). */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly resource: ServedResource;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly namespace: string | undefined;
  /** Empty until the server has generated it. */
  readonly name: string;
  /** Undefined for DELETE. */
  readonly object: KubeObject | undefined;
  /** Undefined for CREATE and CONNECT. */
  readonly oldObject: KubeObject | undefined;
  readonly user: User;
  /** Remaining work budget. Default: a new budget. */
  readonly budget?: WorkBudget | undefined;
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of the client. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Sends a warning to the client. */
  readonly warn: (text: string) => void;
}

/** Changes or rejects writes after authorization: policies and webhooks. */
export interface Admission {
  /** True if admission applies to the request. Must be cheap: it is called for every write. */
  handles(request: AdmissionRequest): boolean;
  /** Returns the object after mutating admission. @throws StatusError */
  mutate(request: AdmissionRequest): Promise<KubeObject>;
  /** Runs validating admission for the final object. @throws StatusError */
  validate(request: AdmissionRequest): Promise<void>;
}
