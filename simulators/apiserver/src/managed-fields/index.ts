export {
  difference,
  entryOf,
  type FieldSet,
  isEmpty,
  type ManagedFieldsEntry,
  managersSent,
  union,
  type Writer,
} from "@keelson/apimachinery";
export { applyInPhases, comparisons, type VersionView } from "./apply.ts";
export { builtinFieldSchema, declaredFieldSchema } from "./builtin-field-schemas.ts";
export { appliedErrors } from "./check-applied.ts";
export { customFieldSchema } from "./custom-field-schemas.ts";
export type { FieldSchema } from "./field-schema.ts";
export { newFields } from "./fields-of.ts";
export { afterUpdate } from "./managers.ts";
