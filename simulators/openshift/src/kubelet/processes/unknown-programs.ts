import type { KubeObject } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { stringMapAt } from "../../base/fields.ts";
import { resources } from "../../base/resources.ts";
import { recordEvent } from "../../workload-context/record-event.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { idle, type Program, type ProgramIo } from "../containers/program.ts";

/** Modes for unsupported programs in pods that should terminate. */
export const unknownProgramModes = ["run", "exit0", "fail"] as const;
export type UnknownPrograms = (typeof unknownProgramModes)[number];

/** Pod annotation that overrides the mode. */
export const unknownProgramsAnnotation = "programs.keelson.dev/unknown";
/** Pod annotation that lists unsupported programs in the form `container: program`. */
export const simulatedProgramsAnnotation = "programs.keelson.dev/simulated";

/** Run time of an unsupported program in milliseconds. It is long enough for clients to follow the log. */
const runMs = 1_000;

/**
 * Maximum number of reported programs per script, and maximum length of a reported name in characters. A script can call any
 * number of programs.
 */
const mostNames = 20;
const longestName = 100;

export interface UnknownProgram extends ProgramContainer {
  /** First word of the container's command. Empty if the container runs the image's default program. */
  readonly program: string;
  readonly image: string;
}

/** Container of a pod. */
export interface ProgramContainer {
  readonly name: string;
  readonly role: "init" | "sidecar" | "main";
}

/**
 * Returns a replacement for an unsupported program. By default, the replacement exits after one second in init containers and in
 * pods that should terminate (Jobs, `restartPolicy: Never`), because the pod or the chart's hook would otherwise never continue. An
 * Event and a pod annotation report the program. In all other containers, the replacement runs until it is stopped.
 */
export async function unknownProgram(
  { program, image, ...container }: UnknownProgram,
  pod: KubeObject,
  mode: UnknownPrograms,
  context: WorkloadContext,
): Promise<Program> {
  const effect = modeOf(pod) ?? mode;
  if (effect === "run" || !shouldEnd(pod, container)) return idle;
  const name = (program === "" ? image : program).slice(0, 2 * longestName);
  const exitCode = effect === "fail" ? 1 : 0;
  await report(pod, { container: container.name, name, exitCode }, context);
  return async ({ stderr, clock, signal }) => {
    await stderr(`simulated: ${name} was not run\n`);
    await clock.sleep(runMs, signal);
    return exitCode;
  };
}

/**
 * Returns a program that runs a script of the built-in shell. In init containers and in pods that should terminate, unsupported
 * commands have status 0 and no output. `cp` copies missing files of the image as empty files. A script that used such a command
 * or file exits with code 0, because its own status is meaningless.
 */
export function scriptOf(
  script: Program,
  container: ProgramContainer,
  pod: KubeObject,
  mode: UnknownPrograms,
  context: WorkloadContext,
): Program {
  if (!succeedsUnknown(pod, mode) || !shouldEnd(pod, container)) return script;
  return async (io) => {
    const names = new Set<string>();
    const add = (name: string) => {
      if (names.size < mostNames) names.add(name.slice(0, longestName));
    };
    const unknownCommand = async (name: string, stderr: ProgramIo["stderr"]): Promise<number> => {
      add(name);
      await stderr(`simulated: ${name} was not run\n`);
      return 0;
    };
    const unknownFile = async (path: string, stderr: ProgramIo["stderr"]): Promise<boolean> => {
      // Only the image can contain files outside of the mounts.
      if (io.files.mounts.some((mount) => path === mount.path || path.startsWith(`${mount.path}/`)))
        return false;
      add(path);
      await stderr(`simulated: ${path} is copied as an empty file\n`);
      return true;
    };
    const exitCode = await script({ ...io, unknownCommand, unknownFile });
    if (names.size === 0) return exitCode;
    try {
      await report(
        pod,
        { container: container.name, name: [...names].sort().join(" "), exitCode: 0 },
        context,
      );
    } catch (error) {
      // A failed report must not change the result of the script.
      context.logger.warn({ error, pod: pod.metadata.name }, "simulated programs of a pod were not reported");
    }
    return io.signal.aborted ? exitCode : 0;
  };
}

/**
 * True if unknown programs of the pod count as successful (`exit0`). Admission requests to these programs are then allowed
 * without a review.
 */
export function succeedsUnknown(pod: KubeObject, mode: UnknownPrograms): boolean {
  return (modeOf(pod) ?? mode) === "exit0";
}

function modeOf({ metadata }: KubeObject): UnknownPrograms | undefined {
  return unknownProgramModes.find((mode) => mode === metadata.annotations?.[unknownProgramsAnnotation]);
}

function shouldEnd(pod: KubeObject, { role }: ProgramContainer): boolean {
  if (role === "init") return true;
  const isOfJob = pod.metadata.ownerReferences?.some(({ kind }) => kind === "Job") ?? false;
  return isOfJob || stringAt(pod, "spec", "restartPolicy") === "Never";
}

async function report(
  pod: KubeObject,
  {
    container,
    name,
    exitCode,
  }: { readonly container: string; readonly name: string; readonly exitCode: number },
  context: WorkloadContext,
): Promise<void> {
  const message = `Container ${container} is simulated: ${name} was not run and exits with code ${exitCode}.`;
  const host = stringAt(pod, "spec", "nodeName") ?? "";
  await recordEvent(context, pod, {
    type: "Warning",
    reason: "ProgramSimulated",
    message,
    source: "kubelet",
    host,
  });
  // Several containers of a pod can report concurrently, so the newest annotations are read.
  const current = context.informer(resources.pods).get(pod.metadata) ?? pod;
  const before = stringMapAt(current, "metadata", "annotations")[simulatedProgramsAnnotation];
  const entries = new Set([...(before === undefined ? [] : before.split(", ")), `${container}: ${name}`]);
  const annotations = { [simulatedProgramsAnnotation]: [...entries].join(", ") };
  await context.mergePatch(resources.pods, pod.metadata, { metadata: { annotations } });
}
