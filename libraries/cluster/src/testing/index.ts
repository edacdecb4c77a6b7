export { contextOf } from "./context.ts";
export {
  type NewCluster,
  newCluster,
  operationEnd,
  putCluster,
  putSubscription,
  type QueuedCluster,
  readCluster,
} from "./documents.ts";
export { createIdentities, identityGroup, putRoleSets } from "./identities.ts";
export { testRoleSets, withIdentities } from "./identity-documents.ts";
export { installCluster } from "./install.ts";
export { acquireCluster, guardOf, hurriedClock, openStore } from "./store.ts";
export { domain, networkGroup, serviceGroup, startWorld, type World } from "./world.ts";
