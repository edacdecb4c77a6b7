import { isPlainObject } from "@keelson/base";
import { errorOfStatus, KubeError } from "./kube-error.ts";
import { isKubeObject, type KubeObject } from "./kube-object.ts";

export type WatchEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: KubeObject }
  /** Nothing changed up to this version. */
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string };

/** The events of a watch's body: one JSON object per line. @throws KubeError for an ERROR event or a broken line */
export async function* watchEvents(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<WatchEvent> {
  for await (const line of lines(chunks)) yield parseEvent(line, path);
}

async function* lines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) if (line !== "") yield line;
  }
}

function parseEvent(line: string, path: string): WatchEvent {
  const event = parseJson(line);
  const object = isPlainObject(event) ? event.object : undefined;
  if (isPlainObject(event) && isPlainObject(object)) {
    switch (event.type) {
      case "ERROR":
        throw errorOfStatus(object, 500, `GET ${path}`);
      case "BOOKMARK":
        if (isPlainObject(object.metadata)) {
          return { type: "BOOKMARK", resourceVersion: String(object.metadata.resourceVersion) };
        }
        break;
      case "ADDED":
      case "MODIFIED":
      case "DELETED":
        if (isKubeObject(object)) return { type: event.type, object };
        break;
    }
  }
  throw new KubeError(
    0,
    "InvalidAnswer",
    `the watch GET ${path} sent a line that is no event: ${line.slice(0, 200)}`,
  );
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
