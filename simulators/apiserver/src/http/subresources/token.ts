import { failures } from "@keelson/apimachinery";
import { admitCreation } from "../../registry/admit.ts";
import { decodeObject } from "../../registry/decode-object.ts";
import { decodeToSchema } from "../../registry/decode-to-schema.ts";
import { serveTokenRequest } from "../../registry/token-request.ts";
import { builtinResource } from "../../resources/builtin-resources.ts";
import { decodeStrictly } from "../messages/decode-body.ts";
import { sendValue } from "../messages/respond.ts";
import type { ResourceRequest } from "../resources/resource-request.ts";
import { writeOptions } from "../resources/write-parameters.ts";

/** TokenRequests have no REST collection, but the server decodes and validates them like other resources. */
const tokenRequests = builtinResource({
  group: "authentication.k8s.io",
  version: "v1",
  kind: "TokenRequest",
  plural: "tokenrequests",
  singular: "tokenrequest",
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: ["create"],
  subresources: [],
  columns: [],
  origin: "builtin",
});

/** Handles `POST serviceaccounts/{name}/token`. */
export async function handleToken(call: ResourceRequest): Promise<void> {
  const { cluster, request, info, resource } = call;
  const { namespace, name } = info;
  if (!namespace || !name) throw failures.methodNotAllowed();
  const { value, strictErrors } = await decodeStrictly(request);
  const options = writeOptions(call, "CreateOptions", strictErrors);
  const body = decodeToSchema(tokenRequests, decodeObject(tokenRequests, value), options);
  await admitCreation(cluster.context, resource, { namespace, name }, body, options);
  const { store, clock } = cluster.context;
  const deps = { store, clock, tokens: cluster.tokens };
  sendValue(request.response, 201, await serveTokenRequest(deps, namespace, name, body));
}
