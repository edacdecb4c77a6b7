import type { KubeObject } from "@keelson/apiserver";
import { ensureObject } from "../../base/objects.ts";
import type { ApiContext } from "../api-context.ts";
import { parseImageReference } from "./image-reference.ts";
import { images } from "./image-resources.ts";
import { ImageSources, type SourceResponse } from "./image-sources.ts";

/** Looks up an image in its registry and stores it if it exists. */
export async function importImage(
  { client, faults, clock }: ApiContext,
  text: string,
  signal: AbortSignal,
): Promise<SourceResponse> {
  const reference = parseImageReference(text);
  if (!reference) {
    const message = `Internal error occurred: invalid reference format: ${JSON.stringify(text)}`;
    return { kind: "failure", code: 500, reason: "InternalError", message };
  }
  const response = await new ImageSources(faults, clock).find(reference, signal);
  if (response.kind === "failure") return response;
  await ensureObject(client, images, response.image);
  const stored: KubeObject = await client.get(images, { name: response.image.metadata.name });
  return { ...response, image: stored };
}
