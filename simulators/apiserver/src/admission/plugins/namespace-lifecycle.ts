import { admitToNamespace } from "../../registry/admit-to-namespace.ts";
import { requestName } from "../../resources/forbidden.ts";
import type { AdmissionPlugin } from "./plugin.ts";

/**
 * Rejects subresource creations in a missing or terminating namespace. The namespace of new objects is already checked before
 * admission.
 */
export const namespaceLifecycle: AdmissionPlugin = {
  name: "NamespaceLifecycle",
  targets: ["CREATE /pods/binding", "CREATE /pods/eviction", "CREATE /serviceaccounts/token"],
  admit(request, context) {
    admitToNamespace(context, request.resource, request.namespace, requestName(request));
  },
};
