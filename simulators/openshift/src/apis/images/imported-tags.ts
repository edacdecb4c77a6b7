import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";
import type { SourceResponse } from "./image-sources.ts";
import { withFailure, withItem } from "./tag-history.ts";

const checkedAnnotation = "openshift.io/image.dockerRepositoryCheck";

/** Import result of one tag in the stream's spec. */
export interface TagImport {
  /** Tag in the stream's spec. */
  readonly tag: Readonly<Record<string, unknown>>;
  readonly response: SourceResponse;
}

/**
 * Returns the stream with the results of all imports, so that one write can store all results. Sets the import time and the tags
 * in spec and status. All tags get the same generation (openshift/openshift-apiserver
 * pkg/image/apiserver/registry/imagestreamimport).
 */
export function withImports(stream: KubeObject, imports: readonly TagImport[], now: string): KubeObject {
  if (imports.length === 0) return stream;
  const generation = (stream.metadata.generation ?? 0) + 1;
  const wanted = new Map(imports.map(({ tag }) => [stringAt(tag, "name") ?? "", { ...tag, generation: 0 }]));
  const present = listAt(stream, "spec", "tags");
  const names = new Set(present.map((each) => stringAt(each, "name") ?? ""));
  const tags = [
    ...present.map((each) => wanted.get(stringAt(each, "name") ?? "") ?? each),
    ...[...wanted].filter(([name]) => !names.has(name)).map(([, tag]) => tag),
  ];
  const checked: KubeObject = {
    ...stream,
    metadata: {
      ...stream.metadata,
      annotations: { ...stream.metadata.annotations, [checkedAnnotation]: now },
    },
    spec: { ...objectAt(stream, "spec"), tags },
  };
  return imports.reduce(
    (next, { tag, response }) => withResponse(next, stringAt(tag, "name") ?? "", response, generation, now),
    checked,
  );
}

/** Adds an import result to the tag's status. Returns the changed stream. */
export function withResponse(
  stream: KubeObject,
  tag: string,
  response: SourceResponse,
  generation: number,
  now: string,
): KubeObject {
  if (response.kind === "failure") {
    const { reason, message } = response;
    return withFailure(stream, tag, { reason, message }, generation, now);
  }
  const { image, dockerImageReference } = response;
  return withItem(stream, tag, {
    created: now,
    dockerImageReference,
    image: image.metadata.name,
    generation,
  });
}
