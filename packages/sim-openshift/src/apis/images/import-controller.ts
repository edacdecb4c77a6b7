import type { KubeObject } from "@keelson/apiserver";
import type { Cluster } from "../../runtime/cluster.ts";
import { timestamp } from "../../runtime/conditions.ts";
import { type Controller, keyOf, parseKey, settled } from "../../runtime/controller.ts";
import { listAt, numberAt, textAt } from "../../runtime/fields.ts";
import type { Outcome } from "../../runtime/work-queue.ts";
import { type ApiContext, apiContextOf } from "../api-context.ts";
import { changeObject } from "../optimistic-write.ts";
import { imageStreams } from "./image-resources.ts";
import { importImage } from "./import-images.ts";
import { importedGeneration, latestItem, statusTag, withFailure, withItem } from "./tag-history.ts";

const repositoryTag = "latest";

/** Imports the images that new and changed tags of ImageStreams name, and follows tags that mean other tags. */
export const imageImports: Controller = {
  name: "image-imports",
  watches: [{ on: "objects", resource: imageStreams, keys: (stream) => [keyOf(stream)] }],
  reconcile: async (key, cluster, signal) => reconcileStream(key, cluster, signal),
};

async function reconcileStream(key: string, cluster: Cluster, signal: AbortSignal): Promise<Outcome> {
  const context = apiContextOf(cluster);
  const stream = await context.client.find(imageStreams, parseKey(key));
  if (!stream || stream.metadata.deletionTimestamp) return settled;
  await importRepository(context, stream, signal);
  for (const tag of listAt(stream, "spec", "tags")) {
    if (wantsImport(stream, tag)) await importTag(context, stream, tag, signal);
  }
  await changeObject(context.client, imageStreams, stream.metadata, "status", settledTags);
  return settled;
}

function wantsImport(stream: KubeObject, tag: unknown): boolean {
  const name = textAt(tag, "name") ?? "";
  return (
    textAt(tag, "from", "kind") === "DockerImage" &&
    importedGeneration(stream, name) < (numberAt(tag, "generation") ?? 0)
  );
}

async function importTag(
  context: ApiContext,
  stream: KubeObject,
  tag: unknown,
  signal: AbortSignal,
): Promise<void> {
  const name = textAt(tag, "name") ?? "";
  const generation = numberAt(tag, "generation") ?? 0;
  const answer = await importImage(context, textAt(tag, "from", "name") ?? "", signal);
  const now = timestamp(context.clock.now());
  await changeObject(context.client, imageStreams, stream.metadata, "status", (current) => {
    // An import that somebody asked for meanwhile is as good.
    if (importedGeneration(current, name) >= generation) return undefined;
    if (answer.kind === "failure") {
      const { reason, message } = answer;
      return withFailure(current, name, { reason, message }, generation, now);
    }
    const { image, dockerImageReference } = answer;
    return withItem(current, name, {
      created: now,
      dockerImageReference,
      image: image.metadata.name,
      generation,
    });
  });
}

/** A stream that stands for a whole repository gets its newest image. */
async function importRepository(context: ApiContext, stream: KubeObject, signal: AbortSignal): Promise<void> {
  const repository = textAt(stream, "spec", "dockerImageRepository");
  if (!repository || statusTag(stream, repositoryTag)) return;
  await importTag(
    context,
    stream,
    {
      name: repositoryTag,
      from: { kind: "DockerImage", name: repository },
      generation: stream.metadata.generation,
    },
    signal,
  );
}

/** The stream with tags that mean other tags pointing where those do; `undefined` when all is so already. */
function settledTags(stream: KubeObject): KubeObject | undefined {
  let next = stream;
  for (const tag of listAt(stream, "spec", "tags")) {
    const target = targetOf(stream, textAt(tag, "name") ?? "");
    const name = textAt(tag, "name") ?? "";
    const item = target && latestItem(next, target);
    const known = latestItem(next, name);
    const generation = numberAt(tag, "generation") ?? 0;
    if (!item || (known?.image === item.image && known.generation >= generation)) continue;
    next = withItem(next, name, { ...item, generation });
  }
  return next === stream ? undefined : next;
}

/** The tag of the same stream that a tag means in the end; `undefined` for one that means none, or itself. */
function targetOf(stream: KubeObject, tag: string): string | undefined {
  const seen = new Set([tag]);
  let target: string | undefined;
  for (let name = tag; ; ) {
    const spec = listAt(stream, "spec", "tags").find((each) => textAt(each, "name") === name);
    if (textAt(spec, "from", "kind") !== "ImageStreamTag") return target;
    const [first = "", second] = (textAt(spec, "from", "name") ?? "").split(":");
    if (second !== undefined && first !== stream.metadata.name) return undefined;
    name = second ?? first;
    if (seen.has(name)) return undefined;
    seen.add(name);
    target = name;
  }
}
