import type { WorkBudget } from "@keelson/base";
import { type DecodedBody, decodeJsonAsYaml, decodeYaml } from "@keelson/wire-formats";
import { sharedThreads } from "./thread-pool.ts";
import type { ThreadTask } from "./thread-task.ts";

/** Decodes a long YAML document. */
export const decodeYamlTask: ThreadTask<string, DecodedBody> = { name: "decodeYaml", run: decodeYaml };

/** Shorter texts are read at once: handing them to a thread takes longer. */
const shortText = 8_192;

/**
 * YAML, of which JSON is a part, without holding up anybody else: long texts are read in a thread.
 * @throws StatusError 400, 429 when too many of this owner are being read, WorkBudgetExceeded
 */
export async function readYaml(text: string, owner: object, budget: WorkBudget): Promise<DecodedBody> {
  const json = decodeJsonAsYaml(text);
  if (json) return json;
  if (text.length <= shortText) return decodeYaml(text, budget);
  return sharedThreads.run(owner, decodeYamlTask, text, budget);
}
