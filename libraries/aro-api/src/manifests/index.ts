/**
 * The package has a separate entry point for manifests, because only the deployment of the operator needs the schemas in the
 * definitions.
 */
export { aroDefinitions } from "./definitions.ts";
export { operatorManifests } from "./operator-manifests.ts";
