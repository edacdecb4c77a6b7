export { PatchError } from "../status/patch-error.ts";
export { applyJsonPatch, maxOperations } from "./json-patch.ts";
export { applyMergePatch } from "./merge-patch.ts";
export { applyStrategicMergePatch } from "./strategic-merge-patch.ts";
