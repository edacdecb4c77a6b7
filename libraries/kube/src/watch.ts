import { boundedText, isPlainObject } from "@keelson/base";
import { errorOfStatus, KubeError } from "./kube-error.ts";
import { isKubeObject, type KubeObject } from "./kube-object.ts";

export type WatchEvent<T extends KubeObject = KubeObject> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  /** Nothing else changed up to this version. `initialEventsEnd`: everything that existed has been sent. */
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

/** Several times what an API server stores of one object. */
const maxLineBytes = 16 * 1024 * 1024;

/** The events of a watch's body: one JSON object per line. @throws KubeError for an ERROR event or a broken line */
export async function* watchEvents<T extends KubeObject>(
  chunks: AsyncIterable<Buffer>,
  path: string,
): AsyncGenerator<WatchEvent<T>> {
  for await (const line of lines(chunks, path)) yield parseEvent(line, path) as WatchEvent<T>;
}

/** Each byte is seen once, however the network cuts the lines. */
async function* lines(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...begun, chunk.subarray(from, end)]).toString();
      begun = [];
      bytes = 0;
      from = end + 1;
      if (line !== "") yield line;
    }
    begun.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > maxLineBytes) {
      throw new KubeError(
        0,
        "TooLarge",
        `the watch GET ${path} sent an event of more than ${maxLineBytes} bytes`,
      );
    }
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
          const { annotations, resourceVersion } = object.metadata;
          const initialEventsEnd =
            isPlainObject(annotations) && annotations["k8s.io/initial-events-end"] === "true";
          return { type: "BOOKMARK", resourceVersion: String(resourceVersion), initialEventsEnd };
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
    `the watch GET ${path} sent a line that is no event: ${boundedText(line, 200)}`,
  );
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
