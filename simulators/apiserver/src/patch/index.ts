export { applyJsonPatch, maxOperations } from "./json-patch.ts";
export { applyMergePatch } from "./merge-patch.ts";
export { PatchError } from "./patch-error.ts";
export { applyStrategicMergePatch } from "./strategic-merge-patch.ts";
