export {
  clusterOperatorName,
  contentNamespace,
  imageStreams,
  operatorNamespace,
  templates,
} from "../resources/resources.ts";
export { catalogueDirectory } from "./catalogue-directory.ts";
export { imageAndTemplateCrds } from "./image-and-template-crds.ts";
