import type { WorkBudget } from "@keelson/base";
import { type DecodedBody, decodeJsonAsYaml, decodeYaml } from "@keelson/wire-formats";
import { sharedThreads } from "./thread-pool.ts";
import type { ThreadTask } from "./thread-task.ts";

export const decodeYamlTask: ThreadTask<string, DecodedBody> = { name: "decodeYaml", run: decodeYaml };

/**
 * Maximum document size in characters for inline decoding. For smaller documents, the transfer to a thread costs more than
 * decoding.
 */
const shortText = 8_192;

/**
 * Decodes YAML or JSON. Long documents are decoded in a worker thread.
 * @throws StatusError 400, 429 if too many tasks of this owner wait, WorkBudgetExceeded
 */
export async function readYaml(text: string, owner: object, budget: WorkBudget): Promise<DecodedBody> {
  const json = decodeJsonAsYaml(text);
  if (json) return json;
  if (text.length <= shortText) return decodeYaml(text, budget);
  return sharedThreads.run(owner, decodeYamlTask, text, budget);
}
