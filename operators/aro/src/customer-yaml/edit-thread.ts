/** Worker thread that performs one edit, posts the result and exits. */
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "@keelson/base";
import { InvalidYaml } from "./edits/edit-yaml.ts";
import { edits, type YamlEdit } from "./edits/edits.ts";

export interface EditTask {
  readonly edit: YamlEdit;
  readonly text: string;
}

export type EditResponse =
  | { readonly text: string }
  | { readonly invalid: string }
  | { readonly failure: string };

const { edit, text } = workerData as EditTask;

function response(): EditResponse {
  try {
    return { text: edits[edit](text) };
  } catch (error) {
    return error instanceof InvalidYaml ? { invalid: error.message } : { failure: messageOf(error) };
  }
}

parentPort?.postMessage(response());
