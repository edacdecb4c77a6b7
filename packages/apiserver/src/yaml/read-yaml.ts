import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { failures } from "../status/status-error.ts";
import { type DecodedBody, decodeJsonAsYaml, decodeYaml } from "./decode-yaml.ts";
import type { YamlReply } from "./yaml-thread.ts";

/** Shorter texts are read at once: starting a thread takes longer. */
const shortText = 8_192;
const maxReadingMs = 10_000;
/** Threads at work at the same time; who comes then is asked to come again. */
const maxThreads = 2;

let threads = 0;

/**
 * YAML, of which JSON is a part, without holding up anybody else: long texts are read in a thread of their own.
 * @throws StatusError 400, 429 when too many are being read
 */
export async function readYaml(text: string): Promise<DecodedBody> {
  const json = decodeJsonAsYaml(text);
  if (json) return json;
  if (text.length <= shortText) return decodeYaml(text);
  if (threads >= maxThreads) throw failures.overloaded("too many long YAML documents are being read");
  threads++;
  try {
    return await readInThread(text);
  } finally {
    threads--;
  }
}

function readInThread(text: string): Promise<DecodedBody> {
  const script = new URL(`./yaml-thread${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(script, {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    name: "yaml",
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  const { promise, resolve, reject } = Promise.withResolvers<DecodedBody>();
  const refuse = (why: string) => reject(failures.badRequest(why));
  const late = setTimeout(() => refuse("error parsing YAML: it takes too long"), maxReadingMs);
  worker.on("message", (reply: YamlReply) => {
    if ("body" in reply) resolve(reply.body);
    else refuse(reply.refusal);
  });
  worker.on("error", (error) => refuse(`error parsing YAML: ${error.message}`));
  worker.on("exit", () => refuse("error parsing YAML: its reader ended"));
  worker.postMessage(text);
  return promise.finally(() => {
    clearTimeout(late);
    void worker.terminate();
  });
}
