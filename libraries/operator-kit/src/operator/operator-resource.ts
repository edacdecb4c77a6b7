import { isDeepStrictEqual } from "node:util";
import { type Clock, listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { type Cache, type Condition, timestamp, watchFor } from "@keelson/controller";
import {
  apiVersionOf,
  type JsonPatchStep,
  type KubeApi,
  KubeError,
  type KubeObject,
  type KubeResource,
  type ObjectKey,
} from "@keelson/kube";

export interface OperatorResourceOptions {
  readonly api: KubeApi;
  readonly cache: Cache;
  readonly clock: Clock;
  /** Resource of the operator's configuration, such as kubeapiservers.operator.openshift.io. */
  readonly resource: KubeResource;
  /** Name of the ClusterOperator and prefix of field managers, for example `kube-apiserver`. */
  readonly instance: string;
}

/** Key of the operator's configuration object. All controllers of the operator reconcile this key. */
export const operatorKey: ObjectKey = { name: "cluster" };

const maxMessage = 32_768;

/**
 * Configuration object of the operator. Controllers report in its status. Each controller owns its conditions through server-side
 * apply with a separate field manager. Concurrent controllers therefore do not overwrite each other.
 */
export class OperatorResource {
  readonly #options: OperatorResourceOptions;

  constructor(options: OperatorResourceOptions) {
    this.#options = options;
  }

  get instance(): string {
    return this.#options.instance;
  }

  get resource(): KubeResource {
    return this.#options.resource;
  }

  /** Returns the object from the cache. The cache contains the object, because the controllers watch it. */
  find(): KubeObject | undefined {
    return this.#options.cache.known(this.#options.resource, operatorKey)?.object;
  }

  fieldManager(controller: string): string {
    return `${this.#options.instance}-${controller}`;
  }

  /**
   * Replaces all conditions of the controller with `conditions`. `owned` returns true for each type that the controller may have
   * reported before. Owned conditions that are missing in `conditions` are removed. Writes nothing if no condition differs.
   */
  async setConditions(
    controller: string,
    conditions: readonly Condition[],
    owned: (type: string) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const live = this.find();
    if (!live) return;
    const { api, clock, resource } = this.#options;
    const present = new Map(
      listAt(live, "status", "conditions").map((each) => [stringAt(each, "type") ?? "", each]),
    );
    const now = timestamp(clock.now());
    const wanted = conditions.map((condition) => {
      const before = present.get(condition.type);
      const since =
        stringAt(before, "status") === condition.status ? stringAt(before, "lastTransitionTime") : undefined;
      const message = condition.message?.slice(0, maxMessage);
      return { ...withoutEmpty({ ...condition, message }), lastTransitionTime: since ?? now };
    });
    const types = new Set(conditions.map(({ type }) => type));
    const isLeft = [...present.keys()].some((type) => owned(type) && !types.has(type));
    const differs = wanted.some((each) => !isSame(present.get(each.type), each));
    if (!isLeft && !differs) return;
    const { kind } = resource;
    const metadata = { name: operatorKey.name };
    const object = { apiVersion: apiVersionOf(resource), kind, metadata, status: { conditions: wanted } };
    const fieldManager = this.fieldManager(controller);
    await api.apply(resource, object, signal, { force: true, fieldManager, subresource: "status" });
  }

  /** Sets some of the conditions that the controller owns. Does not change the controller's other conditions. */
  async mergeConditions(
    controller: string,
    conditions: readonly Condition[],
    owned: (type: string) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const types = new Set(conditions.map(({ type }) => type));
    const others = listAt(this.find(), "status", "conditions").filter((each): each is Condition => {
      const type = stringAt(each, "type");
      return type !== undefined && owned(type) && !types.has(type);
    });
    await this.setConditions(controller, [...others, ...conditions], owned, signal);
  }

  /**
   * Patches the status. The steps must begin with tests of the values that they replace. A concurrent write then causes a
   * conflict.
   */
  patchStatus(steps: readonly JsonPatchStep[], signal: AbortSignal): Promise<KubeObject> {
    const { api, resource } = this.#options;
    return api.jsonPatch(resource, operatorKey, steps, signal, "status").catch(asConflict);
  }

  /** Merges status fields that only this controller writes. */
  mergeStatus(patch: { readonly status: object }, signal: AbortSignal): Promise<KubeObject> {
    const { api, resource } = this.#options;
    return api.mergePatch(resource, operatorKey, patch, signal, "status");
  }

  patchSpec(steps: readonly JsonPatchStep[], signal: AbortSignal): Promise<KubeObject> {
    const { api, resource } = this.#options;
    return api.jsonPatch(resource, operatorKey, steps, signal).catch(asConflict);
  }
}

/**
 * Returns a watch that reconciles the operator's key when the operator's configuration object changes. A changed condition
 * triggers a reconcile only if `read` returns true for the condition's type. Without this filter, the controllers would trigger
 * each other with their conditions. Health reports of KMS plugins are ignored, because they are written twice a minute.
 */
export function operatorChanged(resource: KubeResource, read: (type: string) => boolean = () => true) {
  return watchFor(resource, operatorKey, {
    selection: { fieldSelector: `metadata.name=${operatorKey.name}` },
    where: ({ type, object, before }) =>
      type !== "updated" || !isDeepStrictEqual(readOf(object, read), readOf(before, read)),
  });
}

function readOf({ metadata, status }: KubeObject, read: (type: string) => boolean) {
  const conditions = listAt(status, "conditions").filter((each) => read(stringAt(each, "type") ?? ""));
  const { labels, annotations, generation } = metadata;
  const members = objectAt(status);
  const encryptionStatus = { preflight: valueAt(members, "encryptionStatus", "preflight") };
  return { labels, annotations, generation, status: { ...members, conditions, encryptionStatus } };
}

/**
 * Converts the error of a failed JSON Patch test to a conflict. Only the message distinguishes this error from the API server's
 * error for a schema violation.
 */
function asConflict(error: unknown): never {
  if (error instanceof KubeError && error.code === 422 && !error.message.includes(" is invalid: "))
    throw new KubeError(409, "Conflict", "the operator's configuration has changed", { cause: error });
  throw error;
}

function withoutEmpty(condition: object): Condition {
  const members = Object.entries(condition).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(members) as unknown as Condition;
}

function isSame(before: unknown, wanted: Condition): boolean {
  return (
    before !== undefined &&
    (["status", "reason", "message"] as const).every(
      (name) => (stringAt(before, name) ?? "") === (wanted[name] ?? ""),
    )
  );
}
