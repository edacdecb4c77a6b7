import type { KubeObject } from "@keelson/apimachinery";
import type { WorkBudget } from "@keelson/base";
import type { User } from "../auth/user.ts";
import type { ServedResource } from "./served-resource.ts";

/** Write request for admission (admission.k8s.io/v1 AdmissionRequest). */
export interface AdmissionRequest {
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly resource: ServedResource;
  /** Subresource of the request. Empty for the main resource. */
  readonly subresource: string;
  readonly namespace: string | undefined;
  /** Object name. Empty if the server has not generated it yet. */
  readonly name: string;
  /** Object after the request. Undefined for DELETE. */
  readonly object: KubeObject | undefined;
  /** Object before the request. Undefined for CREATE and CONNECT. */
  readonly oldObject: KubeObject | undefined;
  readonly user: User;
  /** Remaining work budget. Default: a new budget. */
  readonly budget?: WorkBudget | undefined;
  readonly dryRun: boolean;
  /** Options object of the client: CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Sends a warning to the client. */
  readonly warn: (text: string) => void;
}

/** Admission: changes or rejects writes after authorization. */
export interface Admission {
  /** True if admission applies to the request. The function is called for every write, so it must be cheap. */
  handles(request: AdmissionRequest): boolean;
  /** Returns the object after mutating admission. @throws StatusError */
  mutate(request: AdmissionRequest): Promise<KubeObject>;
  /** Runs validating admission for the final object. @throws StatusError */
  validate(request: AdmissionRequest): Promise<void>;
}
