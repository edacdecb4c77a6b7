import { admitToNamespace } from "../../registry/admit-to-namespace.ts";
import { requestName } from "../../resources/forbidden.ts";
import type { AdmissionPlugin } from "./plugin.ts";

/**
 * Rejects creation through a subresource in a missing or terminating namespace. New objects are checked
 * before admission.
 */
export const namespaceLifecycle: AdmissionPlugin = {
  name: "NamespaceLifecycle",
  targets: ["CREATE /pods/binding", "CREATE /pods/eviction", "CREATE /serviceaccounts/token"],
  admit(request, context) {
    admitToNamespace(context, request.resource, request.namespace, requestName(request));
  },
};
