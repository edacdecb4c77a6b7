import { messageOf } from "@keelson/base";
import { isConflict, KubeError, type KubeObject, type KubeResource } from "@keelson/kube";
import type { SamplesSettings } from "../config/samples-settings.ts";
import type { Catalogue } from "../content/load-catalogue.ts";
import type { SamplesRequest } from "../context/samples-request.ts";
import {
  contentNamespace,
  imageStreams,
  isManaged,
  managedLabel,
  templates,
} from "../resources/resources.ts";
import { wantedImageStream } from "./wanted-image-stream.ts";
import { wantedTemplate } from "./wanted-template.ts";

/** Sample that could not be written. */
export interface SampleFailure {
  readonly error: unknown;
  readonly message: string;
  /** True if the failure is temporary: a conflict, a busy server, or a registry that Image `cluster` does not allow yet. */
  readonly passes: boolean;
}

/**
 * Applies all samples of the catalogue except skipped samples. If a sample fails, the next samples are still applied. Returns the
 * failures.
 */
export async function keepSamples(
  request: SamplesRequest,
  catalogue: Catalogue,
  settings: SamplesSettings,
): Promise<readonly SampleFailure[]> {
  const { objects, release: version } = request;
  const { samplesRegistry } = settings;
  const failures: SampleFailure[] = [];
  const keep = async (
    kind: "imagestream" | "template",
    resource: KubeResource,
    samples: ReadonlyMap<string, KubeObject>,
    skipped: ReadonlySet<string>,
  ) => {
    for (const [name, sample] of samples) {
      const key = { namespace: contentNamespace, name };
      try {
        const live = await objects.find(resource, key);
        if (live?.metadata.deletionTimestamp !== undefined) continue;
        if (!skipped.has(name)) {
          const wanted =
            kind === "imagestream"
              ? wantedImageStream(sample, live, { version, samplesRegistry })
              : wantedTemplate(sample, version);
          await objects.ensure(resource, wanted);
        } else if (live && isManaged(live))
          await objects.correct(resource, live, { metadata: { labels: { [managedLabel]: "false" } } });
      } catch (error) {
        request.signal.throwIfAborted();
        failures.push(failureOf(error, kind, name));
      }
    }
  };
  await keep("imagestream", imageStreams, catalogue.imageStreams, new Set(settings.skippedImagestreams));
  await keep("template", templates, catalogue.templates, new Set(settings.skippedTemplates));
  return failures;
}

/** Deletes the operator's samples, except skipped samples. Samples of older releases are also deleted. */
export async function removeSamples({ objects, cache }: SamplesRequest): Promise<void> {
  for (const resource of [imageStreams, templates])
    for (const { metadata } of listManaged(cache, resource))
      await objects.remove(resource, { namespace: contentNamespace, name: metadata.name });
}

function listManaged(cache: SamplesRequest["cache"], resource: KubeResource): readonly KubeObject[] {
  const selection = { namespace: contentNamespace };
  return cache.informer(resource, { selection }).list().filter(isManaged);
}

const passing = new Set([
  "InternalError",
  "Timeout",
  "ServerTimeout",
  "TooManyRequests",
  "Invalid",
  "Unreachable",
]);

function failureOf(error: unknown, kind: string, name: string): SampleFailure {
  return {
    error,
    message: `${messageOf(error)} error replacing ${kind} [${name}]`,
    passes: isConflict(error) || (error instanceof KubeError && passing.has(error.reason)),
  };
}
