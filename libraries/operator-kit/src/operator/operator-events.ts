import { messageOf } from "@keelson/base";
import type { EventRecorder, EventText } from "@keelson/controller";
import type { KubeObject } from "@keelson/kube";
import type { Repair, RepairLog } from "../objects/repair-recorder.ts";

/** Reports the operator's actions as Events about the operator's Deployment. */
export class OperatorEvents implements RepairLog {
  readonly #events: Pick<EventRecorder, "record">;
  readonly #about: KubeObject;

  constructor(
    events: Pick<EventRecorder, "record">,
    deployment: { readonly namespace: string; readonly name: string },
  ) {
    this.#events = events;
    this.#about = { apiVersion: "apps/v1", kind: "Deployment", metadata: deployment };
  }

  /**
   * Reports an Event. Event rate limits are normally per object, but all these Events refer to one Deployment. Each reason
   * therefore has its own limit. With a common limit, frequent Events would suppress Events with different reasons.
   */
  readonly report = (text: EventText): void => {
    this.#events.record(this.#about, { subject: text.reason, isDistinct: true, ...text });
  };

  succeeded(repair: Repair, object: KubeObject): void {
    this.report(repairEvent(repair, object));
  }

  failed(repair: Repair, object: KubeObject, error: unknown): void {
    this.report(failedRepairEvent(repair, object, error));
  }
}

/** Returns the Event for a write, with the messages of library-go's resourceapply. */
export function repairEvent(
  { operation, fields }: Pick<Repair, "operation" | "fields">,
  object: KubeObject,
): EventText {
  const { why, reason } = words[operation];
  const subject = subjectOf(object);
  const keys = fields.filter((field) => object.kind === "ConfigMap" && field.startsWith("data."));
  const isOfKeys = operation === "updated" && keys.length > 0;
  const cause = isOfKeys ? `:\ncause by changes in ${keys.join(",")}` : why;
  return {
    type: "Normal",
    reason: `${object.kind}${reason}`,
    message: `${reason} ${subject}${cause}`,
    subject,
  };
}

export function failedRepairEvent(
  { operation }: Pick<Repair, "operation">,
  object: KubeObject,
  error: unknown,
): EventText {
  const { attempt } = words[operation];
  const subject = subjectOf(object);
  const message = `Failed to ${attempt.toLowerCase()} ${subject}: ${messageOf(error)}`;
  return { type: "Warning", reason: `${object.kind}${attempt}Failed`, message, subject };
}

const words = {
  created: { reason: "Created", attempt: "Create", why: " because it was missing" },
  updated: { reason: "Updated", attempt: "Update", why: " because it changed" },
  deleted: { reason: "Deleted", attempt: "Delete", why: "" },
} as const;

/**
 * Formats an object, for example `ConfigMap/config -n openshift-kube-apiserver` or
 * `ClusterRole.rbac.authorization.k8s.io/reader`.
 */
function subjectOf({ apiVersion, kind, metadata: { name, namespace } }: KubeObject): string {
  const group = apiVersion.includes("/") ? `.${apiVersion.split("/")[0]}` : "";
  return `${kind}${group}/${name}${namespace === undefined ? "" : ` -n ${namespace}`}`;
}
