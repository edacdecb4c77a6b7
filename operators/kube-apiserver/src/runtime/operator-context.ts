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

/** What the controllers of this operator share. */
export interface OperatorContext extends OperatorParts {
  readonly images: OperandImages;
  /** Of the API server: `1.32.9`. */
  readonly operandVersion: string;
  /** What this program was built from: part of each revision, so that a new program begins one. */
  readonly build: string;
  /** Of this process. */
  readonly metrics: Metrics;
  /** When certificates end. */
  readonly expiry: RotationParts["expiry"];
}

/** The runtime's controller of one that reports in KubeAPIServer `cluster`. */
export function kubeApiServerController(
  controller: OperatorController<OperatorContext>,
): Controller<OperatorContext> {
  return operatorController(resources.kubeApiServers, controller);
}

/** Reconciles when one of these objects changes. */
export function inputWatches(inputs: readonly ObservedInput[]): readonly Watch<unknown>[] {
  return inputs.map(({ resource, selection = {} }) => watchFor(resource, operatorKey, { selection }));
}
