export { type Applied, applyInPhases, comparisons, type VersionView } from "./apply.ts";
export { builtinShape, declaredShape } from "./builtin-shapes.ts";
export { appliedErrors } from "./check-applied.ts";
export { customShape } from "./custom-shapes.ts";
export { entryOf, inOrder, type ManagedFieldsEntry, managersSent, type Writer } from "./entry.ts";
export { difference, type FieldSet, isEmpty, union } from "./field-set.ts";
export { newFields } from "./fields-of.ts";
export { afterUpdate } from "./managers.ts";
export type { Shape } from "./shape.ts";
