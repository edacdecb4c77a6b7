/** Apart from the package's other entry point: who deploys the operator needs schemas, the operator does not. */
export { aroDefinitions } from "./definitions.ts";
export { operatorManifests } from "./operator-manifests.ts";
