export { numberOrZeroAt, scalarStringAt, withValueAt } from "./json/access.ts";
export { copyJson, requireDepth } from "./json/copy-json.ts";
export { duplicateMembers } from "./json/duplicate-members.ts";
export { equalJson, type KnownEqual } from "./json/equal-json.ts";
export { maxMembers, parseJson } from "./json/parse.ts";
export { sameJson } from "./json/same-json.ts";
export { sortedMembers } from "./json/sorted-members.ts";
export { writeJson } from "./json/write-json.ts";
export type {
  ApplyOptions,
  ClusterClient,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  ObjectList,
  ResourceRef,
  WatchEvent,
} from "./objects/cluster-client.ts";
export { conditionIsTrue, conditionOf } from "./objects/conditions.ts";
export {
  difference,
  differenceInPhases,
  emptySet,
  type FieldSet,
  type FieldTree,
  intersection,
  intersectionInPhases,
  isEmpty,
  isMember,
  leaf,
  nodeOf,
  pathsOf,
  sameSet,
  treeOf,
  union,
  unionInPhases,
  unionOf,
  unionOfInPhases,
} from "./objects/field-set.ts";
export type { KubeObject, ObjectMeta, OwnerReference } from "./objects/kube-object.ts";
export {
  entryOf,
  identityOf,
  inOrder,
  type ManagedFieldsEntry,
  managersSent,
  type Writer,
} from "./objects/managed-fields-entry.ts";
export type { PrinterColumn, ResourceType, Subresource } from "./objects/resource-type.ts";
export { proxyVerbs, streamVerbs, subresourceOf } from "./objects/subresource.ts";
export { comparePriority } from "./objects/version-priority.ts";
export {
  addQuantities,
  canonicalQuantity,
  formatQuantity,
  one,
  type Precision,
  parseQuantity,
  type Quantity,
  quantityFault,
  quantityOf,
} from "./quantity/quantity.ts";
export {
  formatResourceList,
  maximumOf,
  type ResourceList,
  resourceListAt,
  sumOf,
} from "./quantity/resource-list.ts";
export {
  type FieldSelector,
  matchesFields,
  parseFieldSelector,
  type SelectableField,
  selectedName,
} from "./selector/field-selector.ts";
export {
  labelValueFault,
  qualifiedNameFaults,
  subdomain,
  subdomainText,
  tooLong,
} from "./selector/label-forms.ts";
export {
  isLabelSelector,
  type LabelSelector,
  labelSelectorOf,
  matchesLabels,
} from "./selector/label-selector.ts";
export { booleanOf, type ListParameters, parseListParameters } from "./selector/list-parameters.ts";
export { boundedJson } from "./status/bounded-json.ts";
export { fieldError } from "./status/field-error.ts";
export { goSyntax, goType, goValue } from "./status/go-format.ts";
export { internalError } from "./status/internal-error.ts";
export { PatchError } from "./status/patch-error.ts";
export {
  failures,
  ignoreGone,
  maxCauses,
  type Status,
  type StatusCause,
  type StatusDetails,
  StatusError,
  type Subject,
} from "./status/status-error.ts";
export { atOnce, inOwnTurns, inTurns, Pace, type Phases } from "./turns/phases.ts";
export { sharedTurns } from "./turns/turns.ts";
export { requestBudget, requestLimits } from "./turns/work-limits.ts";
