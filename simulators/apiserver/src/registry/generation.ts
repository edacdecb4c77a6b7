import { type KubeObject, sameJson } from "@keelson/apimachinery";
import type { GenerationRules } from "@keelson/kinds";
import type { ServedResource } from "../resources/served-resource.ts";
import { strategyFor } from "./strategy.ts";

const customResources: GenerationRules = {};

/** Returns the initial `metadata.generation` of a new object. Empty for kinds without a generation. */
export function firstGeneration(resource: ServedResource): { readonly generation?: number } {
  const rules = generationRules(resource);
  return rules && !rules.startsAbsent ? { generation: 1 } : {};
}

/** Increments the generation if fields other than metadata and status changed. */
export function withNextGeneration(
  resource: ServedResource,
  current: KubeObject,
  wanted: KubeObject,
): KubeObject {
  const rules = generationRules(resource);
  if (!rules || rules.ignoresUpdates) return wanted;
  const ignoresStatus = !resource.custom || resource.type.subresources.includes("status");
  const member = rules.countsMetadata;
  const sameMetadata =
    member === undefined || sameJson(current.metadata[member] ?? {}, wanted.metadata[member] ?? {});
  if (sameMetadata && sameJson(desired(current, ignoresStatus), desired(wanted, ignoresStatus)))
    return wanted;
  const generation = (current.metadata.generation ?? 0) + 1;
  return { ...wanted, metadata: { ...wanted.metadata, generation } };
}

/** Returns the `metadata.generation` of an object that is being marked for deletion. */
export function deletedGeneration(
  resource: ServedResource,
  { metadata: { generation } }: KubeObject,
): { readonly generation?: number } {
  const rules = generationRules(resource);
  return rules && !rules.ignoresDeletion && generation ? { generation: generation + 1 } : {};
}

function generationRules(resource: ServedResource): GenerationRules | undefined {
  return resource.custom ? customResources : strategyFor(resource.bucket).generation;
}

function desired(object: KubeObject, ignoresStatus: boolean): Readonly<Record<string, unknown>> {
  const { metadata: _metadata, status, ...rest } = object;
  return ignoresStatus ? rest : { ...rest, status };
}
