/** Separate entry point for the schemas. Only the operator's deployment needs them. */
export { aroDefinitions } from "./definitions.ts";
export { operatorManifests } from "./operator-manifests.ts";
