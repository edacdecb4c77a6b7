import type { KubeObject } from "@keelson/apiserver";
import { listAt, recordAt, textAt } from "../../base/fields.ts";
import type { SourceAnswer } from "./image-sources.ts";
import { withFailure, withItem } from "./tag-history.ts";

const checkedAnnotation = "openshift.io/image.dockerRepositoryCheck";

/** Import result of one tag in the stream's spec. */
export interface TagImport {
  /** Tag in the stream's spec. */
  readonly tag: Readonly<Record<string, unknown>>;
  readonly answer: SourceAnswer;
}

/**
 * Returns the stream with the results of all imports, as one write. Sets the import time and the tags in spec and status. All
 * tags get the same generation (openshift/openshift-apiserver pkg/image/apiserver/registry/imagestreamimport).
 */
export function withImports(stream: KubeObject, imports: readonly TagImport[], now: string): KubeObject {
  if (imports.length === 0) return stream;
  const generation = (stream.metadata.generation ?? 0) + 1;
  const wanted = new Map(imports.map(({ tag }) => [textAt(tag, "name") ?? "", { ...tag, generation: 0 }]));
  const present = listAt(stream, "spec", "tags");
  const names = new Set(present.map((each) => textAt(each, "name") ?? ""));
  const tags = [
    ...present.map((each) => wanted.get(textAt(each, "name") ?? "") ?? each),
    ...[...wanted].filter(([name]) => !names.has(name)).map(([, tag]) => tag),
  ];
  const checked: KubeObject = {
    ...stream,
    metadata: {
      ...stream.metadata,
      annotations: { ...stream.metadata.annotations, [checkedAnnotation]: now },
    },
    spec: { ...recordAt(stream, "spec"), tags },
  };
  return imports.reduce(
    (next, { tag, answer }) => withAnswer(next, textAt(tag, "name") ?? "", answer, generation, now),
    checked,
  );
}

/** Returns the stream with an import result in the tag's status. */
export function withAnswer(
  stream: KubeObject,
  tag: string,
  answer: SourceAnswer,
  generation: number,
  now: string,
): KubeObject {
  if (answer.kind === "failure") {
    const { reason, message } = answer;
    return withFailure(stream, tag, { reason, message }, generation, now);
  }
  const { image, dockerImageReference } = answer;
  return withItem(stream, tag, {
    created: now,
    dockerImageReference,
    image: image.metadata.name,
    generation,
  });
}
