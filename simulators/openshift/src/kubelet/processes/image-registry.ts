import type { Duplex } from "node:stream";
import type { KubeObject } from "@keelson/apiserver";
import type { Program } from "../containers/program.ts";
import type { ProcessOwner } from "./process-owner.ts";
import type { SharedProcess } from "./shared-process.ts";
import type { UnknownPrograms } from "./unknown-programs.ts";

/** Why an image cannot be had, as a container's `waiting.reason`. */
export interface PullFailure {
  readonly reason: "ErrImagePull" | "InvalidImageName" | "ErrImageNeverPull";
  readonly message: string;
}

/** Command of a container that asks to run as a process. */
export interface ContainerCommand {
  /** Programs of the allow list's entry. */
  readonly programs: readonly string[];
  /** First word of the container's command. Default: the image's own program. */
  readonly program: string | undefined;
  readonly args: readonly string[];
}

/** Arguments that a process receives, or the reason for the refusal. */
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
  /** Environment of the process. The container's environment reaches it as data only. */
  readonly env?: Readonly<Record<string, string>>;
  /** Allow list. Pods of all other owners run simulated. */
  readonly owners: readonly ProcessOwner[];
  /** Checks the command of a listed pod. A refused container exits with status 2 and logs the reason. */
  readonly admit: (command: ContainerCommand) => AdmittedCommand;
  /** Runs containers of the image inside one process that they share; each is a process of its own when absent. */
  readonly shared?: SharedProcess;
}

/** Program of this machine that the user of the simulation maps an image to. It has the rights of that user. */
export interface HostProgram {
  /** Absolute path. */
  readonly command: string;
  /** Allow list. Default: all owners that exist. */
  readonly owners?: readonly Omit<ProcessOwner, "programs">[];
  /** Longest time without output. Default: one hour. */
  readonly silentMs?: number;
  /** Maximum size of the output of one run. Default: 64 MiB. */
  readonly maxOutputBytes?: number;
}

/** What containers of an image do. Everything has a default that says so. */
export interface ImageBehaviour {
  /** Milliseconds until the image is there. */
  readonly pullMs?: number;
  readonly pullFailure?: PullFailure;
  /**
   * Replaces the container's command and arguments. By default a command that the built-in shell knows is run by it,
   * and any other runs until it is stopped and says nothing.
   */
  readonly program?: Program;
  /** Effect of its unknown programs in pods that should end. Default: that of the registry. */
  readonly unknownPrograms?: UnknownPrograms;
  /** Programs of the image that `exec` finds by name, besides the shell's. Their `args` are what follows the name. */
  readonly commands?: Readonly<Record<string, Program>>;
  /** Runs in place of anything simulated. A function is asked as each container starts. */
  readonly process?: ProcessImage | (() => ProcessImage);
  /** Runs instead of anything simulated, except for static pods. */
  readonly hostProgram?: HostProgram;
  /** The command of the image, for containers that give none. */
  readonly command?: readonly string[];
  /** Serves a connection to one of the ports; by default the ports that containers declare answer HTTP or echo. */
  readonly serve?: (connection: Duplex, port: number, pod: KubeObject) => void;
  /** Ports that listen besides the declared ones. */
  readonly ports?: readonly number[];
  /** Whether a probe succeeds now; always by default. */
  readonly probe?: (pod: KubeObject, kind: "startup" | "readiness" | "liveness") => boolean;
}

/** What a container that starts now runs as. */
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

/** What images do, by the beginning of their names. The longest matching prefix of those set last wins. */
export class ImageRegistry {
  readonly unknownPrograms: UnknownPrograms;
  readonly #rules: Rule[] = [];

  /** `unknownPrograms` is the effect of unknown programs in pods that should end. */
  constructor({ unknownPrograms = "exit0" }: { readonly unknownPrograms?: UnknownPrograms } = {}) {
    this.unknownPrograms = unknownPrograms;
  }

  /** `prefix` ends where a name may go on: at `/`, `:`, `@` or the end. Gives the way to take it back. */
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
