import { answerTokenRequest } from "../../auth/token-request.ts";
import { failures } from "../../status/status-error.ts";
import { decodeBody } from "../decode-body.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { sendJson } from "../respond.ts";

/** Answers `POST serviceaccounts/{name}/token`. */
export async function handleToken({ cluster, request, path }: ResourceRequest): Promise<void> {
  const { namespace, name } = path;
  if (!namespace || !name) throw failures.methodNotAllowed();
  const { store, clock } = cluster.context;
  const deps = { store, clock, tokens: cluster.tokens };
  sendJson(request.response, 201, await answerTokenRequest(deps, namespace, name, await decodeBody(request)));
}
