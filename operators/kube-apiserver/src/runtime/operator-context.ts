import type { Metrics } from "@keelson/base";
import { type Controller, type Watch, watchFor } from "@keelson/controller";
import { resources } from "@keelson/kube";
import {
  type ObservedInput,
  type OperatorController,
  type OperatorParts,
  operatorController,
  operatorKey,
  type RotationParts,
} from "@keelson/operator-kit";
import type { OperandImages } from "../operand/operand-pod.ts";

/** Shared by the controllers of this operator. */
export interface OperatorContext extends OperatorParts {
  readonly images: OperandImages;
  /** Version of the API server: `1.32.9`. */
  readonly operandVersion: string;
  /** Source version of this program. It is part of each revision, so that a new program starts a revision. */
  readonly build: string;
  /** Metrics of this process. */
  readonly metrics: Metrics;
  /** Expiry of certificates. */
  readonly expiry: RotationParts["expiry"];
}

/** Converts a controller that reports in KubeAPIServer `cluster` to one of the runtime. */
export function kubeApiServerController(
  controller: OperatorController<OperatorContext>,
): Controller<OperatorContext> {
  return operatorController(resources.kubeApiServers, controller);
}

/** Watches that reconcile when one of these objects changes. */
export function inputWatches(inputs: readonly ObservedInput[]): readonly Watch<unknown>[] {
  return inputs.map(({ resource, selection = {} }) => watchFor(resource, operatorKey, { selection }));
}
