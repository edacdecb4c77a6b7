/**
 * Runs `createMachines` in a process that a test can kill. The only argument of the process is `JSON.stringify({options,
 * documentId})`.
 */
import process from "node:process";
import { Secret } from "@keelson/base";
import { preparedCluster } from "@keelson/model/testing";
import { aroInstaller } from "../aro-installer/installer.ts";
import { machineKey } from "./machine-key.ts";
import { offlineContext } from "./offline-context.ts";

const { options, documentId } = JSON.parse(process.argv[2] ?? "{}");
const cluster = preparedCluster(machineKey());
const context = offlineContext({ cluster, documentId, signal: AbortSignal.timeout(900_000) });
const installer = aroInstaller({
  ...options,
  pullSecret: new Secret('{"auths":{"registry.example":{"auth":"eA=="}}}'),
  readGraph: async () => undefined,
  isolate: async (_directory, _installs, command) => command,
});
const state = { clusterId: "", kubeadminPassword: "" };
await installer.createMachines(context, {
  ...state,
  kubeconfigSigner: { certificatePem: "", privateKeyPem: "" },
  apiServer: { url: "", internalUrl: "" },
});
