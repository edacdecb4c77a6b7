import type { KubeObject } from "@keelson/apiserver";
import { listAt, recordAt, textAt } from "../../base/fields.ts";
import type { SourceAnswer } from "./image-sources.ts";
import { withFailure, withItem } from "./tag-history.ts";

const checkedAnnotation = "openshift.io/image.dockerRepositoryCheck";

/** Response of a registry for the image of a tag in the stream's spec. */
export interface TagImport {
  /** Desired tag of the spec. */
  readonly tag: Readonly<Record<string, unknown>>;
  readonly answer: SourceAnswer;
}

/**
 * Stream after an import of all these tags in one write: the time, and the tags in spec and status at the
 * generation of the write (openshift/openshift-apiserver pkg/image/apiserver/registry/imagestreamimport).
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

/** Stream with a status that contains a registry's response for a tag. */
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
