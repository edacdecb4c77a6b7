import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { workerCpuMs } from "@keelson/base";
import type { EditAnswer, EditTask } from "./edit-thread.ts";
import { InvalidYaml } from "./edits/edit-yaml.ts";
import { edits, type YamlEdit } from "./edits/edits.ts";

interface EditLimits {
  /** Of the text, in UTF-8. */
  readonly bytes: number;
  /** CPU time of the thread, its start included. */
  readonly cpuMs: number;
  readonly memoryMb: number;
}

/** A thousand times what a configuration has; a Secret or ConfigMap holds no more than a mebibyte. */
const defaultLimits: EditLimits = { bytes: 512 * 1024, cpuMs: 5_000, memoryMb: 128 };
/** Whatever it says, such a text is read faster than a thread starts. */
const smallLength = 512;
const recheckMs = 20;

/**
 * The customer's text after the edit, the same where there is nothing to change. YAML of a few kilobytes can take a second to
 * read, and longer than linear: a text of any size is edited in a thread of its own, so that other controllers go on meanwhile.
 * @throws InvalidYaml for a text that is no mapping or too long
 * @throws Error if the thread exceeds the limits or fails. No message quotes the text
 */
export async function editCustomerYaml(
  edit: YamlEdit,
  text: string,
  signal: AbortSignal,
  limits = defaultLimits,
): Promise<string> {
  signal.throwIfAborted();
  if (text.length <= smallLength) return edits[edit](text);
  if (Buffer.byteLength(text) > limits.bytes) throw new InvalidYaml(`is longer than ${limits.bytes} bytes`);
  const answer = await answerOfThread({ edit, text }, signal, limits);
  if ("invalid" in answer) throw new InvalidYaml(answer.invalid);
  if ("failure" in answer) throw new Error(`could not be edited: ${answer.failure}`);
  return answer.text;
}

async function answerOfThread(
  workerData: EditTask,
  signal: AbortSignal,
  limits: EditLimits,
): Promise<EditAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<EditAnswer>();
  const worker = new Worker(new URL(`./edit-thread${extname(import.meta.url)}`, import.meta.url), {
    workerData,
    name: "customer-yaml",
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
  });
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const limitCpu = (waitMs: number) => {
    timer = setTimeout(async () => {
      const leftMs = limits.cpuMs - (await workerCpuMs(worker));
      if (leftMs <= 0) reject(new Error(`takes more than ${limits.cpuMs} ms to read`));
      else if (!isOver) limitCpu(Math.max(leftMs, recheckMs));
    }, waitMs);
  };
  limitCpu(limits.cpuMs);
  worker.once("message", resolve);
  // Most probably its memory was full: what it says about that is of no use to the customer.
  worker.once("error", (cause) => reject(new Error("takes more memory than there is for it", { cause })));
  worker.once("exit", () => reject(new Error("could not be read: its thread ended")));
  try {
    return await promise;
  } finally {
    isOver = true;
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
    await worker.terminate();
  }
}
