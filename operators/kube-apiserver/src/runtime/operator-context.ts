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

/** Dependencies that the controllers of this operator share. */
export interface OperatorContext extends OperatorParts {
  readonly images: OperandImages;
  /** Version of the API server, for example `1.32.9`. */
  readonly operandVersion: string;
  /** Source version of this program. Each revision contains it, so that a new program version starts a new revision. */
  readonly build: string;
  /** Metrics of this process. */
  readonly metrics: Metrics;
  /** Metric with the expiry of certificates. */
  readonly expiry: RotationParts["expiry"];
}

/** Converts `controller` to a controller that reports its conditions in the status of KubeAPIServer `cluster`. */
export function kubeApiServerController(
  controller: OperatorController<OperatorContext>,
): Controller<OperatorContext> {
  return operatorController(resources.kubeApiServers, controller);
}

/** Returns watches that trigger a reconcile when an object of the given inputs changes. */
export function inputWatches(inputs: readonly ObservedInput[]): readonly Watch<unknown>[] {
  return inputs.map(({ resource, selection = {} }) => watchFor(resource, operatorKey, { selection }));
}
