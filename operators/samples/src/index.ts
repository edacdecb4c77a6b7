export { machineRegistryAccess, type RegistryAccess } from "./bootstrap/registry-access.ts";
export { architectureFolder, architectureFolders } from "./content/architecture-folder.ts";
export {
  type Catalogue,
  type ContentProblem,
  loadCatalogue,
  readCatalogue,
} from "./content/load-catalogue.ts";
export { shippedCatalogues } from "./content/shipped-catalogues.ts";
export { type VerifiedCatalogue, verifyCatalogues } from "./content/verify-catalogues.ts";
export { type SyncedCatalogue, type SyncOptions, syncCatalogues } from "./library/sync-catalogues.ts";
export { manifests, type SamplesRelease } from "./manifests.ts";
export {
  createSamplesOperator,
  type SamplesOperator,
  type SamplesOperatorOptions,
} from "./samples-operator.ts";
