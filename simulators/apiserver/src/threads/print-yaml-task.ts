import { parseExactJson } from "@keelson/base";
import { yamlText } from "@keelson/wire-formats";
import type { ThreadTask } from "./thread-task.ts";

/** Converts JSON to YAML. */
export const printYamlTask: ThreadTask<Uint8Array, Uint8Array> = {
  name: "printYaml",
  run: (json, budget) => {
    budget.spend(1, json.length);
    return yamlText(parseExactJson(Buffer.from(json).toString()));
  },
};
