export type { ConversionWebhook, CustomVersion, ScalePaths } from "./custom/custom-version.ts";
export { withDefaults, withMembers, withoutStrayNulls } from "./custom/defaults.ts";
export { validateMetadata } from "./custom/metadata-rules.ts";
export { prune } from "./custom/prune.ts";
export { prepareSchema, schemaOfText, sharedSchema, textOfSchema } from "./custom/shared-schema.ts";
export type { StructuralSchema } from "./custom/structural-schema.ts";
export { type CustomChange, validateCustom } from "./custom/validate-custom.ts";
export { approvalOf, isProtectedGroup } from "./definitions/api-approval.ts";
export { type Condition, withCondition } from "./definitions/conditions.ts";
export { isCertificateBundle } from "./definitions/conversion-rules.ts";
export { validateDefinition, withDefinitionDefaults } from "./definitions/definition-rules.ts";
export {
  instanceCleanup,
  markTerminating,
  type Termination,
  withoutCleanup,
  withTermination,
} from "./definitions/terminating.ts";
export { applyInPhases, comparisons, type VersionView } from "./managed-fields/apply.ts";
export { builtinFieldSchema, declaredFieldSchema } from "./managed-fields/builtin-field-schemas.ts";
export { appliedErrors } from "./managed-fields/check-applied.ts";
export { customFieldSchema } from "./managed-fields/custom-field-schemas.ts";
export type { FieldSchema } from "./managed-fields/field-schema.ts";
export { newFields } from "./managed-fields/fields-of.ts";
export { afterUpdate } from "./managed-fields/managers.ts";
export { definitionName } from "./openapi/definition-name.ts";
export { contentKey, DocumentCache } from "./openapi/document-cache.ts";
export {
  type OpenApiDocument,
  openApiV2,
  openApiV2Json,
  openApiV3Document,
  openApiV3Index,
} from "./openapi/index.ts";
