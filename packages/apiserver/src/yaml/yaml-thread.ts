/** The thread that reads long YAML: its parser is slow, and some texts are made to be. */
import { parentPort } from "node:worker_threads";
import { type DecodedBody, decodeYaml } from "./decode-yaml.ts";

/** What the thread makes of a text. */
export type YamlReply = { readonly body: DecodedBody } | { readonly refusal: string };

parentPort?.on("message", (text: string) => {
  let reply: YamlReply;
  try {
    reply = { body: decodeYaml(text) };
  } catch (error) {
    reply = { refusal: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(reply);
});
