import type { ConformanceCase } from "../case.ts";
import { accessCases } from "./access.ts";
import { autoscalingCases } from "./autoscaling.ts";
import { capacityCases } from "./capacities.ts";
import { definitionLifecycleCases } from "./definition-lifecycle.ts";
import { definitionVersionCases } from "./definition-versions.ts";
import { definitionCases } from "./definitions.ts";
import { embeddedResourceCases } from "./embedded-resources.ts";
import { expressionCases } from "./expressions.ts";
import { failureCases } from "./failures.ts";
import { flowControlCases } from "./flow-control.ts";
import { generationCases } from "./generations.ts";
import { jobStatusCases } from "./job-status.ts";
import { limitRangeCases } from "./limit-ranges.ts";
import { listCases } from "./lists.ts";
import { mediaTypeCases } from "./media-types.ts";
import { namespaceCases } from "./namespaces.ts";
import { networkCases } from "./network.ts";
import { nodeRestrictionCases } from "./node-restriction.ts";
import { nullCases } from "./nulls.ts";
import { objectCases } from "./objects.ts";
import { openApiCases } from "./openapi.ts";
import { patchCases } from "./patches.ts";
import { pathCases } from "./paths.ts";
import { podAdmissionCases } from "./pod-admission.ts";
import { podDeletionCases } from "./pod-deletion.ts";
import { podResourceCases } from "./pod-resources.ts";
import { podSecurityCases } from "./pod-security.ts";
import { policyCases } from "./policies.ts";
import { quotaCases } from "./quotas.ts";
import { representationCases } from "./representations.ts";
import { serviceAddressCases } from "./service-addresses.ts";
import { serviceCases } from "./services.ts";
import { statusWriteCases } from "./status-writes.ts";
import { storageAdmissionCases } from "./storage-admission.ts";
import { tableCases } from "./tables.ts";

export const conformanceCases: Readonly<Record<string, readonly ConformanceCase[]>> = {
  objects: objectCases,
  generations: generationCases,
  failures: failureCases,
  patches: patchCases,
  nulls: nullCases,
  expressions: expressionCases,
  lists: listCases,
  representations: representationCases,
  "media types": mediaTypeCases,
  paths: pathCases,
  "status writes": statusWriteCases,
  "status of jobs": jobStatusCases,
  autoscaling: autoscalingCases,
  capacities: capacityCases,
  definitions: definitionCases,
  "definition life cycle": definitionLifecycleCases,
  "definition versions": definitionVersionCases,
  "embedded resources": embeddedResourceCases,
  access: accessCases,
  namespaces: namespaceCases,
  "node restriction": nodeRestrictionCases,
  "pod admission": podAdmissionCases,
  "pod deletion": podDeletionCases,
  "pod resources": podResourceCases,
  "limit ranges": limitRangeCases,
  "pod security": podSecurityCases,
  policies: policyCases,
  quotas: quotaCases,
  network: networkCases,
  services: [...serviceCases, ...serviceAddressCases],
  "storage admission": storageAdmissionCases,
  "flow control": flowControlCases,
  OpenAPI: openApiCases,
  tables: tableCases,
};
