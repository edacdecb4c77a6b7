import { isDeepStrictEqual } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, objectAt, stringAt } from "@keelson/base";
import {
  type Controller,
  done,
  type ReconcileScope,
  type Result,
  timestamp,
  watch,
} from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import type { Cluster } from "../../runtime/cluster.ts";
import { type ApiContext, apiContextOf } from "../api-context.ts";
import { changeObject } from "../optimistic-write.ts";
import { imageStreams } from "./image-resources.ts";
import { importImage } from "./import-images.ts";
import { type TagImport, withImports, withResponse } from "./imported-tags.ts";
import { importedGeneration, latestItem, statusTag, type TagItem, withItem } from "./tag-history.ts";
import { otherStream } from "./validate-image-stream.ts";

const repositoryTag = "latest";

/** Imports the images of new and changed ImageStream tags. Then updates tags that refer to other tags. */
export const imageImports: Controller<Cluster> = {
  name: "image-imports",
  watches: [watch(imageStreams)],
  reconcile: reconcileStream,
};

async function reconcileStream(
  key: ObjectKey,
  cluster: Cluster,
  { signal }: ReconcileScope,
): Promise<Result> {
  const context = apiContextOf(cluster);
  const stream = await context.client.find(imageStreams, key);
  if (!stream || stream.metadata.deletionTimestamp) return done;
  const tags = listAt(stream, "spec", "tags").filter((tag) => wantsImport(stream, tag));
  const imports: TagImport[] = [];
  for (const tag of tags)
    imports.push({
      tag: objectAt(tag),
      response: await importImage(context, stringAt(tag, "from", "name") ?? "", signal),
    });
  const repository = repositoryOf(stream);
  const whole = repository === undefined ? undefined : await importImage(context, repository, signal);
  const others = await otherItems(context, stream);
  const now = timestamp(context.clock.now());
  await changeObject(context.client, imageStreams, stream.metadata, "whole", (current) => {
    // Skips tags that changed or were imported while the registries were queried.
    const due = imports.filter(({ tag }) =>
      listAt(current, "spec", "tags").some(
        (each) => isDeepStrictEqual(each, tag) && wantsImport(current, each),
      ),
    );
    const imported = withImports(current, due, now);
    const complete =
      whole && repositoryOf(current) === repository
        ? withResponse(imported, repositoryTag, whole, current.metadata.generation ?? 0, now)
        : imported;
    const next = withFollowers(withOthers(complete, others));
    return next === current ? undefined : next;
  });
  return done;
}

function wantsImport(stream: KubeObject, tag: unknown): boolean {
  const name = stringAt(tag, "name") ?? "";
  return (
    stringAt(tag, "from", "kind") === "DockerImage" &&
    importedGeneration(stream, name) < (numberAt(tag, "generation") ?? 0)
  );
}

/** Returns the stream's `spec.dockerImageRepository`. Returns `undefined` after the stream's default tag has been imported. */
function repositoryOf(stream: KubeObject): string | undefined {
  const repository = stringAt(stream, "spec", "dockerImageRepository");
  return repository && !statusTag(stream, repositoryTag) ? repository : undefined;
}

/** Returns the current images of referenced tags in other streams. The key is the name of the referring tag. */
async function otherItems({ client }: ApiContext, stream: KubeObject): Promise<ReadonlyMap<string, TagItem>> {
  const { name, namespace = "" } = stream.metadata;
  const items = new Map<string, TagItem>();
  for (const tag of listAt(stream, "spec", "tags")) {
    if (stringAt(tag, "from", "kind") !== "ImageStreamTag") continue;
    const place = otherStream(tag, name, namespace);
    const own = stringAt(tag, "name") ?? "";
    if (!place || importedGeneration(stream, own) >= (numberAt(tag, "generation") ?? 0)) continue;
    const other = await client.find(imageStreams, place);
    const item = other && latestItem(other, stringAt(tag, "from", "name")?.split(":").at(-1) ?? "");
    if (item) items.set(own, item);
  }
  return items;
}

/**
 * Copies images from tags in other streams to the tags of this stream that refer to them. Each reference is resolved only once,
 * so later images of the other streams are not copied.
 */
function withOthers(stream: KubeObject, items: ReadonlyMap<string, TagItem>): KubeObject {
  let next = stream;
  for (const tag of listAt(stream, "spec", "tags")) {
    const name = stringAt(tag, "name") ?? "";
    const item = items.get(name);
    const generation = numberAt(tag, "generation") ?? 0;
    if (item && importedGeneration(stream, name) < generation)
      next = withItem(next, name, { ...item, generation });
  }
  return next;
}

/** Copies the image of each tag to the tags that refer to it in the same stream. */
function withFollowers(stream: KubeObject): KubeObject {
  let next = stream;
  for (const tag of listAt(stream, "spec", "tags")) {
    const target = targetOf(stream, stringAt(tag, "name") ?? "");
    const name = stringAt(tag, "name") ?? "";
    const item = target && latestItem(next, target);
    const known = latestItem(next, name);
    const generation = numberAt(tag, "generation") ?? 0;
    if (!item || (known?.image === item.image && known.generation >= generation)) continue;
    next = withItem(next, name, { ...item, generation });
  }
  return next;
}

/**
 * Follows a tag's references within the same stream and returns the final tag. `undefined` for a tag without a reference or with
 * a circular reference.
 */
function targetOf(stream: KubeObject, tag: string): string | undefined {
  const seen = new Set([tag]);
  let target: string | undefined;
  for (let name = tag; ; ) {
    const spec = listAt(stream, "spec", "tags").find((each) => stringAt(each, "name") === name);
    if (stringAt(spec, "from", "kind") !== "ImageStreamTag") return target;
    const [first = "", second] = (stringAt(spec, "from", "name") ?? "").split(":");
    if (second !== undefined && first !== stream.metadata.name) return undefined;
    name = second ?? first;
    if (seen.has(name)) return undefined;
    seen.add(name);
    target = name;
  }
}
