import { isDeepStrictEqual } from "node:util";
import { isPlainObject, listAt, objectAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import { contentNamespace, managedLabel, versionAnnotation } from "../resources/resources.ts";
import { inRegistry } from "./samples-registry.ts";

/**
 * Returns the desired imagestream. Its content comes from the catalogue, and the override replaces the registry. Tags that only
 * the live stream has are kept. They are tags that users have added, and retired tags that builds may still use.
 */
export function wantedImageStream(
  sample: KubeObject,
  live: KubeObject | undefined,
  { version, samplesRegistry }: { readonly version: string; readonly samplesRegistry: string },
): WantedObject {
  const { name, labels, annotations } = sample.metadata;
  const { resourceVersion } = live?.metadata ?? {};
  const spec = objectAt(sample.spec);
  const repository = stringAt(sample, "spec", "dockerImageRepository");
  return {
    metadata: {
      name,
      namespace: contentNamespace,
      labels: { ...labels, [managedLabel]: "true" },
      annotations: { ...annotations, [versionAnnotation]: version },
      // The tags are an atomic list. With the resource version, a write after a concurrent change fails instead of overwriting
      // that change.
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    spec: {
      ...spec,
      ...(repository ? { dockerImageRepository: inRegistry(repository, samplesRegistry) } : {}),
      tags: mergedTags(sample, live, samplesRegistry),
    },
  };
}

/** Returns the tags of the live stream in their order, followed by new tags in the catalogue's order. */
function mergedTags(
  sample: KubeObject,
  live: KubeObject | undefined,
  samplesRegistry: string,
): readonly unknown[] {
  const wanted = new Map(
    listAt(sample, "spec", "tags").map((tag) => [
      stringAt(tag, "name") ?? "",
      taggedIn(tag, samplesRegistry),
    ]),
  );
  const present = listAt(live, "spec", "tags");
  const names = new Set(present.map((tag) => stringAt(tag, "name") ?? ""));
  return [
    ...present.map((tag) => {
      const own = wanted.get(stringAt(tag, "name") ?? "");
      return own === undefined ? tag : changedTag(tag, own);
    }),
    ...[...wanted].filter(([name]) => !names.has(name)).map(([, tag]) => tag),
  ];
}

/**
 * Returns the current tag with the fields of the desired tag. If the tag's source changes, `generation` is removed, so that the
 * server assigns a new value.
 */
function changedTag(present: unknown, wanted: unknown): unknown {
  const changed = laidOn(present, wanted);
  if (!isPlainObject(changed) || isDeepStrictEqual(changed, present)) return changed;
  const { generation: _, ...tag } = changed;
  return tag;
}

function taggedIn(given: unknown, samplesRegistry: string): unknown {
  const tag = withoutEmpty(given);
  if (!isPlainObject(tag) || !isPlainObject(tag.from) || tag.from.kind !== "DockerImage") return tag;
  return { ...tag, from: { ...tag.from, name: inRegistry(String(tag.from.name), samplesRegistry) } };
}

/**
 * Returns the current value with all fields of the desired value. Fields that only the current value has are kept, because the
 * server or users set them. The field `from`, a tag's source, is replaced completely.
 */
function laidOn(present: unknown, wanted: unknown): unknown {
  if (!isPlainObject(present) || !isPlainObject(wanted)) return wanted;
  return {
    ...present,
    ...Object.fromEntries(
      Object.entries(wanted).map(([name, value]) => [
        name,
        name === "from" ? value : laidOn(present[name], value),
      ]),
    ),
  };
}

/** Removes empty fields that the server sets to a default. */
function withoutEmpty(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== "");
  return Object.fromEntries(members.map(([name, member]) => [name, withoutEmpty(member)]));
}
