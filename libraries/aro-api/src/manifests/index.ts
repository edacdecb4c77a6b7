/** Separate entry point with schemas, which only the deployment of the operator needs. */
export { aroDefinitions } from "./definitions.ts";
export { operatorManifests } from "./operator-manifests.ts";
