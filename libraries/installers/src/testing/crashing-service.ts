/** Has a cluster made by the installer, in a process of its own that a test can kill: `JSON.stringify({options, documentId})`. */
import process from "node:process";
import { Secret } from "@keelson/base";
import { preparedCluster } from "@keelson/model/testing";
import { openshiftInstaller } from "../openshift-install/installer.ts";
import { offlineContext } from "./offline-context.ts";

const { options, documentId } = JSON.parse(process.argv[2] ?? "{}");
const cluster = preparedCluster(new Secret("not asked for"));
const context = offlineContext({ cluster, documentId, signal: AbortSignal.timeout(900_000) });
const state = { clusterId: "", kubeadminPassword: "" };
await openshiftInstaller(options).createMachines(context, {
  ...state,
  kubeconfigSigner: { certificatePem: "", privateKeyPem: "" },
  apiServer: { url: "", internalUrl: "" },
});
