/** The schemas have a separate entry point, because only the operator's deployment needs them. */
export { aroDefinitions } from "./definitions.ts";
export { operatorManifests } from "./operator-manifests.ts";
