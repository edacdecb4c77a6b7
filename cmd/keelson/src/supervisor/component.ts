import type { UnknownPrograms } from "@keelson/sim-openshift";
import type { OperatorMode, OptionalRole } from "../options/options.ts";
import type { PodController, RunImage } from "../options/run-image.ts";

/** Components of `keelson up`, in the order of their start. Each is a process; each needs those before it. */
export const componentNames = ["azure", "clusters", "service"] as const;
export type ComponentName = (typeof componentNames)[number];

/** Settings of a component. Everything else is in the state directory. */
export interface ComponentSettings {
  readonly directory: string;
  /** Clusters for which subnets are made. */
  readonly subnetsFor: readonly string[];
  readonly operators: OperatorMode;
  readonly unknownPrograms: UnknownPrograms;
  /** Images that run as programs of this machine. */
  readonly runImages: readonly RunImage[];
  /** Controllers with pods that run as programs. Empty: all. */
  readonly runImagesFor: readonly PodController[];
  readonly without: readonly OptionalRole[];
  /** True if each cluster's API server has its own address of this machine. Default: they share 127.0.0.1. */
  readonly clusterAddresses?: boolean;
  readonly logLevel: string;
}

/** The process that the operators of all clusters share. It belongs to the component `clusters`. */
export interface OperatorsProcess {
  readonly process?: number;
  /** Time of its last start or exit, RFC 3339. */
  readonly since: string;
  readonly restarts: number;
  /** Time of the first message that it did not respond to, RFC 3339. */
  readonly notRespondingSince?: string;
}

/** Messages of the supervisor to a component. */
export type ToComponent<Settings = ComponentSettings> =
  | { readonly kind: "start"; readonly settings: Settings }
  | { readonly kind: "ping" }
  /** A message that only this kind of component understands. */
  | { readonly kind: "message"; readonly message: unknown }
  | { readonly kind: "stop" };

/** Messages of a component to the supervisor. */
export type FromComponent =
  | { readonly kind: "serving" }
  | { readonly kind: "progress"; readonly text: string }
  /** The reason of an exit. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "operators"; readonly operators: OperatorsProcess }
  | { readonly kind: "message"; readonly message: unknown }
  | { readonly kind: "pong" };
