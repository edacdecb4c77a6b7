import { isDeepStrictEqual } from "node:util";
import { isPlainObject, listAt, objectAt, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import type { WantedObject } from "@keelson/operator-kit";
import { contentNamespace, managedLabel, versionAnnotation } from "../resources/resources.ts";
import { inRegistry } from "./samples-registry.ts";

/**
 * An imagestream as it should be in the cluster: what the catalogue says, in the registry of the override. Of a stream that is there,
 * tags that the catalogue does not have stay: retired ones that builds still use, and those of users.
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
      // Tags are one list: it is not written over one that has changed since.
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    spec: {
      ...spec,
      ...(repository ? { dockerImageRepository: inRegistry(repository, samplesRegistry) } : {}),
      tags: mergedTags(sample, live, samplesRegistry),
    },
  };
}

/** In the order of the stream that is there; what is new follows in the catalogue's. */
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
 * The present tag with the fields of the wanted one. The server assigns another `generation` when the tag's source changes, so a tag that
 * changes is written without one.
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

/** The present value with all members of the wanted one: what the server and users added stays. Sources are replaced whole. */
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

/** The server has its own default for what is empty. */
function withoutEmpty(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== "");
  return Object.fromEntries(members.map(([name, member]) => [name, withoutEmpty(member)]));
}
