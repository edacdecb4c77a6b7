import type { Duplex } from "node:stream";
import type { KubeObject } from "@keelson/apiserver";
import type { Program } from "../containers/program.ts";
import type { ProcessOwner } from "./process-owner.ts";
import type { SharedProcess } from "./shared-process.ts";
import type { UnknownPrograms } from "./unknown-programs.ts";

/** Reason for a failed image pull. It becomes the container's `waiting.reason`. */
export interface PullFailure {
  readonly reason: "ErrImagePull" | "InvalidImageName" | "ErrImageNeverPull";
  readonly message: string;
}

/** Command of a container that may run as a real process. */
export interface ContainerCommand {
  /** Programs that the allow list entry permits. */
  readonly programs: readonly string[];
  /** First word of the container's command. Undefined if the container runs the image's default program. */
  readonly program: string | undefined;
  readonly args: readonly string[];
}

/** Arguments of the process, or the reason for the rejection. */
export type AdmittedCommand =
  | {
      readonly args: readonly string[];
      /** Options of the command. They precede `ProcessImage.args`. */
      readonly options?: readonly string[];
    }
  | { readonly refused: string };

/** Real program on this machine. Only images of this project have a real program. */
export interface ProcessImage {
  readonly command: string;
  /** Arguments of the program. They precede the container's arguments. */
  readonly args?: readonly string[];
  /**
   * Environment of the process. The container's environment is not part of the process environment. It is sent to the process as
   * data.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Allow list of pod owners. Pods of other owners are simulated. */
  readonly owners: readonly ProcessOwner[];
  /** Validates the command of an allowed pod. A rejected container logs the reason and exits with status 2. */
  readonly admit: (command: ContainerCommand) => AdmittedCommand;
  /** Shared process that runs all containers of the image. Default: a separate process for each container. */
  readonly shared?: SharedProcess;
}

/** Host program that a user assigns to an image. It runs with that user's permissions. */
export interface HostProgram {
  /** Absolute path of the program on the host. */
  readonly command: string;
  /** Allow list of pod owners. Default: all existing owners. */
  readonly owners?: readonly Omit<ProcessOwner, "programs">[];
  /** Maximum time without output in milliseconds. Default: one hour. */
  readonly silentMs?: number;
  /** Maximum output of one run in bytes. Default: 64 MiB. */
  readonly maxOutputBytes?: number;
}

/** Behavior of an image's containers. All properties are optional. */
export interface ImageBehaviour {
  /** Duration of the image pull in milliseconds. */
  readonly pullMs?: number;
  readonly pullFailure?: PullFailure;
  /**
   * Program that replaces the container's command and arguments. By default, the built-in shell runs supported commands.
   * Unsupported commands produce no output and run until they are stopped.
   */
  readonly program?: Program;
  /**
   * Mode for unsupported programs in pods that should terminate. Default: the mode with which the `ImageRegistry` was created.
   */
  readonly unknownPrograms?: UnknownPrograms;
  /** Additional programs for `exec`, by name. `args` are the words after the name. */
  readonly commands?: Readonly<Record<string, Program>>;
  /** Real process that replaces the simulated program. If the property is a function, it is called at each container start. */
  readonly process?: ProcessImage | (() => ProcessImage);
  /** Host program that replaces all simulated programs of the image, except in static pods. */
  readonly hostProgram?: HostProgram;
  /** Default command of the image. */
  readonly command?: readonly string[];
  /** Serves a connection to a port. Default: declared ports respond to HTTP requests and echo other data. */
  readonly serve?: (connection: Duplex, port: number, pod: KubeObject) => void;
  /** Listening ports in addition to the declared ports. */
  readonly ports?: readonly number[];
  /** Returns the result of a probe. Default: probes succeed. */
  readonly probe?: (pod: KubeObject, kind: "startup" | "readiness" | "liveness") => boolean;
}

/** Returns the process image for a starting container. Undefined if the container image has only a simulated program. */
export function imageProcess({ process }: ImageBehaviour): ProcessImage | undefined {
  return typeof process === "function" ? process() : process;
}

interface Rule {
  readonly prefix: string;
  readonly behaviour: ImageBehaviour;
}

const shells = ["busybox", "alpine", "ubuntu", "debian", "fedora", "centos"];
const builtin: readonly Rule[] = [
  ...shells.map((name) => ({ prefix: name, behaviour: { command: ["sh"] } })),
  {
    prefix: "hello-world",
    behaviour: {
      program: async ({ stdout }) => {
        await stdout(
          "\nHello from Docker!\nThis message shows that your installation appears to be working correctly.\n\n",
        );
        return 0;
      },
    },
  },
  // Images of servers. Their containers run until they are stopped.
  { prefix: "nginx", behaviour: { ports: [80], unknownPrograms: "run" } },
  { prefix: "httpd", behaviour: { ports: [80], unknownPrograms: "run" } },
  ...["registry.k8s.io/pause", "k8s.gcr.io/pause", "quay.io/openshift-release-dev/ocp-v4.0-art-dev"].map(
    (prefix): Rule => ({ prefix, behaviour: { unknownPrograms: "run" } }),
  ),
];

/**
 * Image behavior by name prefix. The longest matching prefix applies. A later rule overrides an earlier one with the same prefix.
 */
export class ImageRegistry {
  readonly unknownPrograms: UnknownPrograms;
  readonly #rules: Rule[] = [];

  /** The option `unknownPrograms` is the default mode for unsupported programs in pods that should terminate. */
  constructor({ unknownPrograms = "exit0" }: { readonly unknownPrograms?: UnknownPrograms } = {}) {
    this.unknownPrograms = unknownPrograms;
  }

  /** Adds a rule. `prefix` must end at `/`, `:`, `@` or the end of an image name. Returns a function that removes the rule. */
  set(prefix: string, behaviour: ImageBehaviour): () => void {
    const rule = { prefix, behaviour };
    this.#rules.unshift(rule);
    return () => {
      const at = this.#rules.indexOf(rule);
      if (at >= 0) this.#rules.splice(at, 1);
    };
  }

  behaviourOf(image: string): ImageBehaviour {
    const matching = this.#rules.filter(({ prefix }) => matchesImage(image, prefix));
    const best = matching.toSorted((a, b) => b.prefix.length - a.prefix.length)[0];
    if (best) return best.behaviour;
    const short = image.replace(/^(docker\.io\/)?(library\/)?/, "");
    return builtin.find(({ prefix }) => matchesImage(short, prefix))?.behaviour ?? {};
  }
}

export function matchesImage(image: string, prefix: string): boolean {
  if (!image.startsWith(prefix)) return false;
  return prefix.endsWith("/") || image.length === prefix.length || "/:@".includes(image[prefix.length] ?? "");
}
