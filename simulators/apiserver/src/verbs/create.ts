import { failures } from "@keelson/apimachinery";
import { reviewOf } from "../auth/reviews.ts";
import { decodeStrictly } from "../http/messages/decode-body.ts";
import { sendValue } from "../http/messages/respond.ts";
import { type ResourceRequest, sendObject } from "../http/resources/resource-request.ts";
import { writeOptions } from "../http/resources/write-parameters.ts";
import { createObject } from "../registry/create.ts";
import { decodeObject } from "../registry/decode-object.ts";
import { decodeToSchema } from "../registry/decode-to-schema.ts";

export async function handleCreate(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource, info, user } = call;
  if (info.name !== undefined) throw failures.methodNotAllowed();
  const { value: body, strictErrors } = await decodeStrictly(request);
  const options = writeOptions(call, "CreateOptions", strictErrors);
  const review = reviewOf(resource.type.group, resource.type.plural);
  if (review) {
    const { apiVersion, kind, ...asked } = decodeToSchema(resource, decodeObject(resource, body), options);
    const response = await review(cluster, { user, namespace: info.namespace, body: asked });
    sendValue(request.response, 201, { kind, apiVersion, metadata: {}, ...response });
    return;
  }
  await sendObject(call, 201, await createObject(cluster.context, resource, info.namespace, body, options));
}
