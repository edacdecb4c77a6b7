export { machineRegistryAccess } from "./bootstrap/registry-access.ts";
export {
  type ContentProblem,
  loadCatalogue,
} from "./content/load-catalogue.ts";
export { shippedCatalogues } from "./content/shipped-catalogues.ts";
export { verifyCatalogues } from "./content/verify-catalogues.ts";
export { syncCatalogues } from "./library/sync-catalogues.ts";
export { manifests } from "./manifests.ts";
export { createSamplesOperator } from "./samples-operator.ts";
