export { openShiftCrds } from "../crds/openshift-crds.ts";
export { connectionPair } from "../ssh/connection-pair.ts";
export { type NodeSshDeps, serveNodeSsh } from "../ssh/node-ssh-server.ts";
