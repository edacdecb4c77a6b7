import { subresourceOf } from "@keelson/apimachinery";
import type { AdmissionRequest } from "../../resources/admission-request.ts";
import { type ResourceRequest, warning } from "../resources/resource-request.ts";

const flags: ReadonlySet<string> = new Set(["stdin", "stdout", "stderr", "tty"]);
const lists: ReadonlySet<string> = new Set(["command", "ports"]);

/** Runs admission for a connection request (exec, attach, port-forward, proxy). @throws StatusError */
export async function admitConnection(call: ResourceRequest): Promise<void> {
  const { cluster, request, resource, info, user } = call;
  const { subresource = "", namespace, name = "" } = info;
  const { kind, connects } = subresourceOf(resource.type, subresource);
  if (!connects) return;
  const { admission } = cluster.context;
  const asked: AdmissionRequest = {
    operation: "CONNECT",
    resource,
    subresource,
    namespace,
    name,
    object: {
      apiVersion: "v1",
      kind,
      metadata: { name: "" },
      ...optionsOf(request.query),
    },
    oldObject: undefined,
    user,
    dryRun: false,
    options: {},
    warn: warning(call),
  };
  if (!admission.handles(asked)) return;
  await admission.validate({ ...asked, object: await admission.mutate(asked) });
}

/** Converts the query to an options object (core/v1 PodExecOptions and similar kinds). */
function optionsOf(query: URLSearchParams): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    [...new Set(query.keys())].map((name): [string, unknown] => {
      const values = query.getAll(name);
      if (name === "ports") return [name, values.map(Number)];
      if (lists.has(name)) return [name, values];
      const [value = ""] = values;
      return [name, flags.has(name) ? value === "true" || value === "1" : value];
    }),
  );
}
