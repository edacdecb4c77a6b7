export {
  clusterOperatorName,
  contentNamespace,
  imageStreams,
  operatorNamespace,
  templates,
} from "../resources/resources.ts";
export { catalogueFolder } from "./catalogue-folder.ts";
export { imageAndTemplateCrds } from "./image-and-template-crds.ts";
