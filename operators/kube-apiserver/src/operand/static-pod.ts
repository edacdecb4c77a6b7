import { resources } from "@keelson/kube";
import type { SourceLists, SourceNames, StaticPod } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { revisionedSources, syncedSources } from "./operand-sources.ts";

/** Returns the API servers as a static pod for the rollout controllers. */
export function apiServerPod(operatorImage: string): StaticPod {
  return {
    resource: resources.kubeApiServers,
    name: "kube-apiserver",
    namespace: namespaces.target,
    revisioned: listsOf(revisionedSources),
    live: listsOf(syncedSources),
    certDir: "kube-apiserver-certs",
    operatorImage,
    installerCommand: ["cluster-kube-apiserver-operator", "installer"],
    prunerCommand: ["cluster-kube-apiserver-operator", "prune"],
  };
}

function listsOf({ configMaps, optionalConfigMaps, secrets, optionalSecrets }: SourceNames): SourceLists {
  const list = (required: readonly string[], optional: readonly string[]) => [
    ...required.map((name) => ({ name })),
    ...optional.map((name) => ({ name, optional: true })),
  ];
  return { configMaps: list(configMaps, optionalConfigMaps), secrets: list(secrets, optionalSecrets) };
}
