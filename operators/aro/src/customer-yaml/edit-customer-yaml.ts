import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { workerCpuMs } from "@keelson/base";
import type { EditResponse, EditTask } from "./edit-thread.ts";
import { InvalidYaml } from "./edits/edit-yaml.ts";
import { edits, type YamlEdit } from "./edits/edits.ts";

interface EditLimits {
  /** Maximum length of the document in UTF-8 bytes. */
  readonly bytes: number;
  /** Maximum CPU time of the thread in ms, including its start. */
  readonly cpuMs: number;
  readonly memoryMb: number;
}

/**
 * Limits of an edit. The maximum size is a thousand times the size of a usual configuration. It is half of the maximum size of a
 * Secret or ConfigMap.
 */
const defaultLimits: EditLimits = { bytes: 512 * 1024, cpuMs: 5_000, memoryMb: 128 };
/**
 * Maximum length of a document that is edited without a worker thread. Parsing such a short document takes less time than
 * starting a thread.
 */
const smallLength = 512;
const recheckMs = 20;

/**
 * Returns the customer's document after the edit. Returns the same string if nothing must change. The parse time grows faster
 * than the document, and may reach a second for a few kilobytes of YAML. Longer documents are therefore edited in a separate
 * thread, which does not block other controllers. Error messages never quote the document.
 * @throws InvalidYaml for a document that is not a mapping or is too long
 * @throws Error if the thread exceeds the limits or fails
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
  const response = await responseOfThread({ edit, text }, signal, limits);
  if ("invalid" in response) throw new InvalidYaml(response.invalid);
  if ("failure" in response) throw new Error(`could not be edited: ${response.failure}`);
  return response.text;
}

async function responseOfThread(
  workerData: EditTask,
  signal: AbortSignal,
  limits: EditLimits,
): Promise<EditResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<EditResponse>();
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
  // The probable cause is that the thread exceeded the memory limit. The message of Node.js would not help the customer.
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
