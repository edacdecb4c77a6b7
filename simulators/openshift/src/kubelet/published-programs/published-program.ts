import type { KubeClient } from "@keelson/kube";
import type { ProgramIo } from "../containers/program.ts";

/** Execution context of a published program. */
export interface PublishedProgramIo extends Pick<ProgramIo, "clock" | "signal"> {
  /** Words after the program name. */
  readonly args: readonly string[];
  /** Namespace of the pod. */
  readonly namespace: string;
  /** Client with the permissions of the pod's service account. */
  readonly kube: KubeClient;
  readonly print: (line: string) => Promise<void>;
}

/** Simulated effect of a published program on the cluster. */
export interface PublishedProgram {
  /** True for the simulated commands. Other commands are treated as unknown programs. */
  readonly handles: (args: readonly string[]) => boolean;
  /** Runs a command. After an error, the container logs the error message and exits with code 1. */
  readonly run: (io: PublishedProgramIo) => Promise<void>;
}
