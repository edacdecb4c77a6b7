import { failures, StatusError, scalarStringAt } from "@keelson/apimachinery";
import { objectAt } from "@keelson/base";
import { decodeStrictly } from "../http/messages/decode-body.ts";
import { requireCreate } from "../http/resources/request-attributes.ts";
import { keyIn, type ResourceRequest, sendObject } from "../http/resources/resource-request.ts";
import { writeOptions } from "../http/resources/write-parameters.ts";
import { createObject } from "../registry/create.ts";
import type { ModifiedPart } from "../registry/modified-part.ts";
import { modifyObject } from "../registry/modify.ts";
import { strategyFor } from "../registry/strategy.ts";
import { subjectOf } from "../resources/served-resource.ts";

export async function handleUpdate(call: ResourceRequest, part: ModifiedPart): Promise<void> {
  const { cluster, request, resource } = call;
  const { value: body, strictErrors } = await decodeStrictly(request);
  const options = writeOptions(call, "UpdateOptions", strictErrors);
  const key = keyIn(call);
  requireName(call, body);
  try {
    await sendObject(
      call,
      200,
      await modifyObject(cluster.context, resource, key, part, () => body, options),
    );
  } catch (error) {
    const creates = part === "main" && strategyFor(resource.bucket).createsOnUpdate;
    if (!creates || !(error instanceof StatusError) || error.reason !== "NotFound") throw error;
    await requireCreate(call);
    const named = asNew(call, body);
    await sendObject(
      call,
      201,
      await createObject(cluster.context, resource, call.info.namespace, named, options),
    );
  }
}

/**
 * Requires that the body contains a name.
 * @throws StatusError 400
 */
function requireName({ info }: ResourceRequest, body: unknown): void {
  if (scalarStringAt(body, "metadata", "name")) return;
  throw failures.badRequest(
    `the name of the object (${info.name} based on URL) was undeterminable: name must be provided`,
  );
}

/**
 * Returns the object that a PUT creates. The body may contain a resource version, but no uid.
 * @throws StatusError 400, 409
 */
function asNew({ info, resource }: ResourceRequest, body: unknown): Readonly<Record<string, unknown>> {
  const { name = "" } = info;
  const { uid, resourceVersion: _, ...metadata } = objectAt(body, "metadata");
  const own = scalarStringAt(metadata, "name") || name;
  if (own !== name) {
    throw failures.badRequest(`the name of the object (${own}) does not match the name on the URL (${name})`);
  }
  if (uid) {
    const why = `Precondition failed: UID in precondition: ${String(uid)}, UID in object meta: `;
    throw failures.conflict(subjectOf(resource), name, why);
  }
  return { ...objectAt(body), metadata: { ...metadata, name } };
}
