import { CloudError } from "@keelson/arm";
import { isPlainObject } from "@keelson/base";
import { type KubeClient, type KubeObject, listAt, resources, textAt } from "@keelson/kube";
import type { ActionContext } from "../action-context.ts";
import { checkName } from "./object-rules.ts";

const requests = resources.certificateSigningRequests;

/** Empty for all of them. @throws CloudError InvalidParameter */
export function checkRequestName(name: string): void {
  if (name !== "") checkName("name", name);
}

/**
 * Approves a certificate signing request, or all when `name` is empty. What is approved already stays as it is.
 * @throws CloudError InvalidParameter, ResourceNotFound (400), PropertyChangeNotAllowed for a denied one; KubeError of
 *   the cluster
 */
export async function approveRequests(context: ActionContext, name: string): Promise<void> {
  const { signal, clock } = context;
  checkRequestName(name);
  const kube = context.kube();
  if (name === "") {
    const { items } = await kube.list(requests, {}, signal);
    for (const request of items) await approve(kube, request, clock.now(), signal);
    return;
  }
  const request = await kube.find(requests, { name }, signal);
  if (!request) {
    const message = `certificate signing request '${name}' was not found.`;
    throw new CloudError("ResourceNotFound", message, { status: 400 });
  }
  await approve(kube, request, clock.now(), signal);
}

async function approve(kube: KubeClient, request: KubeObject, now: Date, signal: AbortSignal): Promise<void> {
  const { name, resourceVersion } = request.metadata;
  const conditions = withApproval(request, now);
  if (!conditions) return;
  const patch = { metadata: { resourceVersion }, status: { conditions } };
  await kube.mergePatch(requests, { name }, patch, signal, "approval");
}

/** The conditions of the request once it is approved; `undefined` when it is. @throws CloudError when it is denied */
export function withApproval(request: KubeObject, now: Date): readonly unknown[] | undefined {
  const conditions = listAt(request, "status", "conditions").filter(isPlainObject);
  const types = conditions.map((each) => textAt(each, "type"));
  if (types.includes("Denied")) {
    const { name } = request.metadata;
    const message = `certificate signing request "${name}" is already Denied`;
    throw new CloudError("PropertyChangeNotAllowed", message);
  }
  if (types.includes("Approved")) return undefined;
  const approval = {
    type: "Approved",
    status: "True",
    reason: "AROSupportApprove",
    message: "This CSR was approved by ARO support personnel.",
    lastUpdateTime: `${now.toISOString().slice(0, 19)}Z`,
  };
  return [...conditions, approval];
}
