import { parseExactJson } from "@keelson/base";
import { stringify } from "yaml";
import type { ThreadTask } from "../threads/thread-task.ts";

/** A document as YAML in the way of Go's libraries: they read version 1.1, where `yes` and `12:30` are no texts. */
export function yamlText(value: unknown): Buffer {
  const options = {
    version: "1.1",
    sortMapEntries: true,
    indentSeq: false,
    aliasDuplicateObjects: false,
  } as const;
  return Buffer.from(stringify(value, options));
}

/** Prints JSON as YAML. */
export const printYamlTask: ThreadTask<Uint8Array, Uint8Array> = {
  name: "printYaml",
  run: (json, budget) => {
    budget.spend(1, json.length);
    return yamlText(parseExactJson(Buffer.from(json).toString()));
  },
};
