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
export { acquireCluster, guardOf, hurriedClock, openStore } from "./store.ts";
export { domain, networkGroup, serviceGroup, startWorld, type World } from "./world.ts";
