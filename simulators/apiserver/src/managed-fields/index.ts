export { difference, type FieldSet, isEmpty, union } from "../objects/field-set.ts";
export {
  entryOf,
  type ManagedFieldsEntry,
  managersSent,
  type Writer,
} from "../objects/managed-fields-entry.ts";
export { applyInPhases, comparisons, type VersionView } from "./apply.ts";
export { builtinFieldSchema, declaredFieldSchema } from "./builtin-field-schemas.ts";
export { appliedErrors } from "./check-applied.ts";
export { customFieldSchema } from "./custom-field-schemas.ts";
export type { FieldSchema } from "./field-schema.ts";
export { newFields } from "./fields-of.ts";
export { afterUpdate } from "./managers.ts";
