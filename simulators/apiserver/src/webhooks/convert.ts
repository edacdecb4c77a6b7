import { randomUUID } from "node:crypto";
import { failures, type KubeObject, type StatusError, scalarStringAt } from "@keelson/apimachinery";
import { isPlainObject, listAt, messageOf, objectAt, valueAt } from "@keelson/base";
import type { ConversionWebhook } from "@keelson/schema";
import type { WebhookClient } from "./webhook-client.ts";

/** Timeout of conversion webhooks in seconds, as in Kubernetes. CustomResourceDefinitions cannot change this timeout. */
const timeoutSeconds = 30;

/** Calls conversion webhooks (apiextensions.k8s.io/v1 ConversionReview). */
export class VersionConverter {
  readonly #webhooks: WebhookClient;
  readonly #signal: AbortSignal;

  constructor(webhooks: WebhookClient, signal: AbortSignal) {
    this.#webhooks = webhooks;
    this.#signal = signal;
  }

  /**
   * Converts objects of one kind to the given version. Sends all objects in a single webhook request.
   * @throws StatusError 500 if the call fails or the response is invalid
   */
  async convert(
    { clientConfig, reviewVersions }: ConversionWebhook,
    objects: readonly KubeObject[],
    desiredAPIVersion: string,
  ): Promise<readonly KubeObject[]> {
    const [first] = objects;
    if (!first) return [];
    const about = `${first.apiVersion}, Kind=${first.kind}`;
    const version = reviewVersions.find((each) => each === "v1" || each === "v1beta1") ?? "v1";
    const uid = randomUUID();
    const review = {
      kind: "ConversionReview",
      apiVersion: `apiextensions.k8s.io/${version}`,
      request: { uid, desiredAPIVersion, objects },
    };
    let answer: unknown;
    try {
      answer = await this.#webhooks.post(clientConfig, review, timeoutSeconds, this.#signal);
    } catch (error) {
      throw failed(`conversion webhook for ${about} failed: ${messageOf(error)}`, error);
    }
    return accepted(answer, { about, uid, objects, desiredAPIVersion, version });
  }
}

interface Asked {
  readonly about: string;
  readonly uid: string;
  readonly objects: readonly KubeObject[];
  readonly desiredAPIVersion: string;
  readonly version: string;
}

/**
 * Validates a response and returns the converted objects.
 * @throws StatusError 500
 */
function accepted(answer: unknown, asked: Asked): readonly KubeObject[] {
  const { about, uid, objects, version } = asked;
  const response = objectAt(answer, "response");
  const isReview = scalarStringAt(answer, "kind") === "ConversionReview";
  if (!isReview || scalarStringAt(answer, "apiVersion") !== `apiextensions.k8s.io/${version}`) {
    const found = `${scalarStringAt(answer, "apiVersion")}, Kind=${scalarStringAt(answer, "kind")}`;
    throw failed(
      `invalid conversion response for ${about}: expected webhook response of apiextensions.k8s.io/${version}, Kind=ConversionReview, got ${found}`,
    );
  }
  if (version === "v1" && response.uid !== uid) {
    const found = JSON.stringify(scalarStringAt(response, "uid"));
    throw failed(
      `invalid conversion response for ${about}: expected response.uid=${JSON.stringify(uid)}, got ${found}`,
    );
  }
  if (scalarStringAt(response, "result", "status") !== "Success") {
    const why = scalarStringAt(response, "result", "message") || "no message";
    throw failed(`conversion webhook for ${about} failed: ${why}`);
  }
  const converted = listAt(response, "convertedObjects");
  if (converted.length !== objects.length) {
    throw failed(
      `conversion webhook for ${about} returned ${converted.length} objects, expected ${objects.length}`,
    );
  }
  return objects.map((object, at) => restored(object, converted[at], at, asked));
}

/** Restores the original metadata of a converted object. A webhook may change only labels and annotations. */
function restored(
  object: KubeObject,
  converted: unknown,
  at: number,
  { about, desiredAPIVersion }: Asked,
): KubeObject {
  const invalid = (why: string) =>
    failed(`conversion webhook for ${about} returned invalid converted object at index ${at}: ${why}`);
  if (!isPlainObject(converted)) throw invalid("it is no object");
  const { apiVersion, kind } = converted;
  if (apiVersion !== desiredAPIVersion) {
    throw invalid(`invalid groupVersion (expected ${desiredAPIVersion}, received ${String(apiVersion)})`);
  }
  if (kind !== object.kind) throw invalid(`invalid kind (expected ${object.kind}, received ${String(kind)})`);
  const metadata = objectAt(converted, "metadata");
  for (const name of ["name", "namespace", "uid"] as const) {
    if (valueAt(metadata, name) === object.metadata[name]) continue;
    throw invalid(`invalid metadata: metadata.${name} may not be changed`);
  }
  const { labels: _labels, annotations: _annotations, ...kept } = object.metadata;
  const texts = (member: string) => {
    const found = objectAt(metadata, member);
    return Object.keys(found).length > 0 ? { [member]: found } : {};
  };
  return {
    ...converted,
    apiVersion: desiredAPIVersion,
    kind: object.kind,
    metadata: { ...kept, ...texts("labels"), ...texts("annotations") },
  };
}

function failed(message: string, cause?: unknown): StatusError {
  return failures.internal(cause, message);
}
