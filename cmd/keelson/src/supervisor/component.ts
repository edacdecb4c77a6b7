import type { GovernanceConfig } from "@keelson/env";
import type { UnknownPrograms } from "@keelson/sim-openshift";
import type { OperatorMode, OptionalRole } from "../options/options.ts";
import type { PodController, RunImage } from "../options/run-image.ts";

/**
 * Components of `keelson up` in start order. Each component runs in one or more processes, and it depends on all components
 * before it in this list.
 */
export const componentNames = ["azure", "clusters", "service"] as const;
export type ComponentName = (typeof componentNames)[number];

/** Process of a component. Only the component `clusters` can have several processes. */
export interface ComponentRef {
  readonly component: ComponentName;
  /** Number of the process, from 1. */
  readonly number: number;
}

/** Returns the name of a component process, for example `clusters` for the first process and `clusters-2` for the second. */
export function processName(component: ComponentName | "operators", number: number): string {
  return number === 1 ? component : `${component}-${number}`;
}

/** Parses a name in the format of `processName`. Returns undefined for other strings. */
export function parseProcessName(name: string): ComponentRef | undefined {
  const [, base, number = "1"] = /^([a-z]+)(?:-([2-9]|[1-9]\d))?$/.exec(name) ?? [];
  const component = componentNames.find((each) => each === base);
  if (component === undefined || (component !== "clusters" && number !== "1")) return undefined;
  return { component, number: Number(number) };
}

/** Returns the processes of all components in start order. */
export function componentProcesses(clusterProcesses: number): readonly ComponentRef[] {
  return componentNames.flatMap((component) =>
    Array.from({ length: component === "clusters" ? clusterProcesses : 1 }, (_, index) => ({
      component,
      number: index + 1,
    })),
  );
}

/**
 * Settings that a component receives from the supervisor. The component reads all other settings from files in the state
 * directory.
 */
export interface ComponentSettings {
  readonly directory: string;
  /** Names of clusters for which subnets are created. */
  readonly subnetsFor: readonly string[];
  readonly operators: OperatorMode;
  readonly unknownPrograms: UnknownPrograms;
  /** Images that run as local programs. */
  readonly runImages: readonly RunImage[];
  /** Controllers of the pods that run as local programs. An empty list means pods of any controller. */
  readonly runImagesFor: readonly PodController[];
  readonly without: readonly OptionalRole[];
  /** Rules for administrators' actions. Default: none. */
  readonly governance?: GovernanceConfig;
  /** True if each cluster's API server has a separate loopback address. Default: all clusters share 127.0.0.1. */
  readonly clusterAddresses?: boolean;
  readonly logLevel: string;
}

/**
 * Process that runs operators. Each process of the component `clusters` has one operators process, which runs the operators of
 * its clusters.
 */
export interface OperatorsProcess {
  readonly process?: number;
  /** Time of the last start or exit of the process, RFC 3339. */
  readonly since: string;
  readonly restarts: number;
  /** Time of the first ping without a response, RFC 3339. */
  readonly notRespondingSince?: string;
}

/** Message from the supervisor to a component. */
export type ToComponent<Settings = ComponentSettings> =
  /** Starts the component. `world` is the directory of the world's files. Default: the state directory. */
  | { readonly kind: "start"; readonly settings: Settings; readonly world?: string | undefined }
  /** All components on which this component depends are serving. */
  | { readonly kind: "dependencies" }
  /** Requests a standby process to open the files in `world`, so that its later start is faster. */
  | { readonly kind: "warm"; readonly settings: Settings; readonly world: string }
  | { readonly kind: "ping" }
  /** Message in a format that the receiving component defines. */
  | { readonly kind: "message"; readonly message: unknown }
  | { readonly kind: "stop" };

/** Message from a component to the supervisor. */
export type FromComponent =
  /** The process has loaded its modules and waits for `start`. */
  | { readonly kind: "loaded" }
  /** The process has opened the world's files and waits for `start`. */
  | { readonly kind: "warmed" }
  | { readonly kind: "serving" }
  | { readonly kind: "progress"; readonly text: string }
  /** Reason of an exit. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "operators"; readonly operators: OperatorsProcess }
  | { readonly kind: "message"; readonly message: unknown }
  | { readonly kind: "pong" };
