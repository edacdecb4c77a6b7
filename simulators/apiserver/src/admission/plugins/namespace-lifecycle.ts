import { admitToNamespace } from "../../registry/admit-to-namespace.ts";
import { requestName } from "../../resources/forbidden.ts";
import type { AdmissionPlugin } from "./plugin.ts";

/**
 * Refuses what is created through a subresource in a namespace that is absent or going. New objects are refused before
 * they come to admission.
 */
export const namespaceLifecycle: AdmissionPlugin = {
  name: "NamespaceLifecycle",
  targets: ["CREATE /pods/binding", "CREATE /pods/eviction", "CREATE /serviceaccounts/token"],
  admit(request, context) {
    admitToNamespace(context, request.resource, request.namespace, requestName(request));
  },
};
