export {
  newCluster,
  withIdentities,
} from "@keelson/model/testing";
export { operationEnd, putCluster, putSubscription, type QueuedCluster, readCluster } from "./documents.ts";
export { createIdentities, identityGroup, putRoleSets } from "./identities.ts";
export { installCluster } from "./install.ts";
export { memoryCluster } from "./memory-cluster.ts";
export { acquireCluster, guardOf, hurriedClock, openStore } from "./store.ts";
export { domain, networkGroup, serviceGroup, startWorld, type World } from "./world.ts";
