import type { Kind } from "../kind.ts";

/** Assigns the pod with the binding's name to a node, like the subresource `pods/binding`. */
export const binding: Kind = {
  group: "",
  versions: ["v1"],
  kind: "Binding",
  plural: "bindings",
  namespaced: true,
  verbs: ["create"],
};
