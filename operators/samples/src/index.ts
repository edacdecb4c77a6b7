export { architectureFolder, architectureFolders } from "./content/architecture-folder.ts";
export {
  type Catalogue,
  type ContentProblem,
  loadCatalogue,
  readCatalogue,
} from "./content/load-catalogue.ts";
