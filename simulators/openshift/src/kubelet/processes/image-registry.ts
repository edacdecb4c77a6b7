import type { Duplex } from "node:stream";
import type { KubeObject } from "@keelson/apiserver";
import type { Program } from "../containers/program.ts";
import type { ProcessOwner } from "./process-owner.ts";
import type { SharedProcess } from "./shared-process.ts";
import type { UnknownPrograms } from "./unknown-programs.ts";

/** Reason of a failed image pull, as a container's `waiting.reason`. */
export interface PullFailure {
  readonly reason: "ErrImagePull" | "InvalidImageName" | "ErrImageNeverPull";
  readonly message: string;
}

/** Command of a container that is admitted to run as a process. */
export interface ContainerCommand {
  /** Programs of the allow list's entry. */
  readonly programs: readonly string[];
  /** First word of the container's command. Default: the image's own program. */
  readonly program: string | undefined;
  readonly args: readonly string[];
}

/** Arguments that a process receives, or the reason for the rejection. */
export type AdmittedCommand =
  | {
      readonly args: readonly string[];
      /** Options of the command, before `ProcessImage.args`. */
      readonly options?: readonly string[];
    }
  | { readonly refused: string };

/** Real program of this machine, only for the project's own images. */
export interface ProcessImage {
  readonly command: string;
  /** Arguments before those of the container. */
  readonly args?: readonly string[];
  /** Environment of the process. The container's environment is passed only as data. */
  readonly env?: Readonly<Record<string, string>>;
  /** Allow list. Pods of all other owners run simulated. */
  readonly owners: readonly ProcessOwner[];
  /** Checks the command of a listed pod. A rejected container exits with status 2 and logs the reason. */
  readonly admit: (command: ContainerCommand) => AdmittedCommand;
  /**
   * Runs containers of the image inside one shared process. Default: a separate process for each container.
   */
  readonly shared?: SharedProcess;
}

/** Host program that the user of the simulation maps to an image. It has the rights of that user. */
export interface HostProgram {
  /** Absolute path. */
  readonly command: string;
  /** Allow list. Default: all existing owners. */
  readonly owners?: readonly Omit<ProcessOwner, "programs">[];
  /** Longest time without output. Default: one hour. */
  readonly silentMs?: number;
  /** Maximum size of the output of one run. Default: 64 MiB. */
  readonly maxOutputBytes?: number;
}

/** Behaviour of an image's containers. Every property is optional. */
export interface ImageBehaviour {
  /** Milliseconds until the image is pulled. */
  readonly pullMs?: number;
  readonly pullFailure?: PullFailure;
  /**
   * Replaces the container's command and arguments. By default, the built-in shell runs the commands that it
   * supports. Any other command runs without output until it is stopped.
   */
  readonly program?: Program;
  /** Effect of its unknown programs in pods that should terminate. Default: that of the registry. */
  readonly unknownPrograms?: UnknownPrograms;
  /**
   * Programs of the image that `exec` finds by name, in addition to the shell's commands. `args` are the
   * words after the name.
   */
  readonly commands?: Readonly<Record<string, Program>>;
  /** Real process that replaces the simulated program. A function is called when a container starts. */
  readonly process?: ProcessImage | (() => ProcessImage);
  /** Runs instead of anything simulated, except for static pods. */
  readonly hostProgram?: HostProgram;
  /** Command of the image, for containers without a command. */
  readonly command?: readonly string[];
  /**
   * Serves a connection to one of the ports. By default, declared ports respond to HTTP requests or echo the
   * data.
   */
  readonly serve?: (connection: Duplex, port: number, pod: KubeObject) => void;
  /** Listening ports in addition to the declared ones. */
  readonly ports?: readonly number[];
  /** Result of a probe. Default: always successful. */
  readonly probe?: (pod: KubeObject, kind: "startup" | "readiness" | "liveness") => boolean;
}

/** Process image for a container that starts now. */
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
  // Servers run until they are stopped.
  { prefix: "nginx", behaviour: { ports: [80], unknownPrograms: "run" } },
  { prefix: "httpd", behaviour: { ports: [80], unknownPrograms: "run" } },
  ...["registry.k8s.io/pause", "k8s.gcr.io/pause", "quay.io/openshift-release-dev/ocp-v4.0-art-dev"].map(
    (prefix): Rule => ({ prefix, behaviour: { unknownPrograms: "run" } }),
  ),
];

/**
 * Image behaviours by name prefix. The longest matching prefix wins, and among equal prefixes the last one
 * set.
 */
export class ImageRegistry {
  readonly unknownPrograms: UnknownPrograms;
  readonly #rules: Rule[] = [];

  /** `unknownPrograms` is the effect of unknown programs in pods that should terminate. */
  constructor({ unknownPrograms = "exit0" }: { readonly unknownPrograms?: UnknownPrograms } = {}) {
    this.unknownPrograms = unknownPrograms;
  }

  /**
   * Sets a rule. `prefix` must end at `/`, `:`, `@` or the end of a name. Returns a function that removes the
   * rule.
   */
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
