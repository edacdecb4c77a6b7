import { CloudError } from "@keelson/arm";
import { boundedText, isPlainObject, listAt, stringAt } from "@keelson/base";
import { isKubeNotFound, type KubeClient, type KubeObject, objectFields, resources } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";
import { checkName } from "../context/object-rules.ts";
import {
  isOfKubelet,
  machineAddresses,
  readSigningRequest,
  type SigningRequest,
} from "./kubelet-requests.ts";

const requests = resources.certificateSigningRequests;
const machineNamespace = "openshift-machine-api";
const maxLogged = 256;

const machineFields = objectFields({ status: { nodeRef: { name: true }, addresses: { address: true } } });

/**
 * Rejects invalid request names. An empty name is valid and means all pending kubelet requests.
 * @throws CloudError InvalidParameter
 */
export function checkRequestName(name: string): void {
  if (name !== "") checkName("name", name);
}

export interface ApproveOptions {
  /** Name of one certificate request. An empty name means all pending kubelet requests. */
  readonly name: string;
  /** True if the administrator may approve certificate requests of all signers, not only of kubelets. */
  readonly mayApproveAny: boolean;
}

/**
 * Approves one certificate request by name, or all pending kubelet requests. A kubelet request must come from the existing
 * machine that the certificate names. Requests of all other kinds are approved only by name and with `mayApproveAny`. Requests
 * that are already approved stay unchanged.
 * @throws CloudError InvalidParameter, ResourceNotFound (400), Forbidden for a request of a kind that is not allowed,
 * PropertyChangeNotAllowed for a denied request; KubeError of the cluster
 */
export async function approveRequests(
  context: ActionContext,
  { name, mayApproveAny }: ApproveOptions,
): Promise<void> {
  const { signal } = context;
  checkRequestName(name);
  const kube = context.kube();
  const machines = machineAddresses(await listMachines(kube, signal));
  if (name === "") {
    const { items } = await kube.list(requests, {}, signal);
    for (const object of items) {
      const request = await readSigningRequest(object);
      if (isOfKubelet(request, machines)) await approve(context, object, request);
      else if (isPending(object)) log(context, request, "certificate signing request left pending");
    }
    return;
  }
  const object = await kube.find(requests, { name }, signal);
  if (!object) {
    const message = `certificate signing request '${name}' was not found.`;
    throw new CloudError("ResourceNotFound", message, { status: 400 });
  }
  const request = await readSigningRequest(object);
  if (!mayApproveAny && !isOfKubelet(request, machines)) {
    throw new CloudError(
      "Forbidden",
      `certificate signing request '${name}' for signer '${request.signer}' is not of a kubelet of this cluster: approving it ` +
        "needs the role 'elevated' and a reason in the header X-Keelson-Reason.",
    );
  }
  await approve(context, object, request);
}

/** Lists the Machines. A cluster without the Machine API has no Machines. */
async function listMachines(kube: KubeClient, signal: AbortSignal): Promise<readonly KubeObject[]> {
  try {
    const selection = { namespace: machineNamespace, fields: machineFields };
    return (await kube.list(resources.machines, selection, signal)).items;
  } catch (error) {
    if (isKubeNotFound(error)) return [];
    throw error;
  }
}

async function approve(context: ActionContext, object: KubeObject, request: SigningRequest): Promise<void> {
  const { clock, signal } = context;
  const { name, resourceVersion } = object.metadata;
  const conditions = withApproval(object, clock.now());
  if (!conditions) return;
  const patch = { metadata: { resourceVersion }, status: { conditions } };
  await context.kube().mergePatch(requests, { name }, patch, signal, "approval");
  log(context, request, "certificate signing request approved");
}

/** Logs a certificate request. The logged values come from the cluster, so their length is limited. */
function log({ logger, document }: ActionContext, request: SigningRequest, message: string): void {
  const { name, signer, requester, subject } = request;
  logger.info(
    {
      logKind: "adminAction",
      resourceId: document.openShiftCluster.id,
      request: boundedText(name, maxLogged),
      signer: boundedText(signer, maxLogged),
      requester: boundedText(requester, maxLogged),
      commonName: boundedText(subject?.commonName ?? "", maxLogged),
      organizations: subject?.organizations.slice(0, 8).map((each) => boundedText(each, maxLogged)),
    },
    message,
  );
}

function isPending(object: KubeObject): boolean {
  return listAt(object, "status", "conditions").length === 0;
}

/**
 * Returns the request's conditions with the approval added. Undefined if the request is already approved.
 * @throws CloudError for a denied request
 */
function withApproval(request: KubeObject, now: Date): readonly unknown[] | undefined {
  const conditions = listAt(request, "status", "conditions").filter(isPlainObject);
  const types = conditions.map((each) => stringAt(each, "type"));
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
