import type { Command } from "commander";
import { parseGoDuration } from "../../options/go-duration.ts";
import { addNodeOptions, namesOption, parseRevision } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

const twoMinutesMs = 120_000;

export function addInstaller(root: Command): Command {
  const command = root
    .command("installer")
    .description("write a revision of a static pod to the disk of node NODE_NAME")
    .requiredOption("--revision <n>", "revision", parseRevision)
    .requiredOption("--namespace <name>", "namespace of the ConfigMaps and Secrets")
    .requiredOption("--pod <name>", "name of the ConfigMap with the manifest, without the revision")
    .requiredOption("--resource-dir <dir>", "directory of the revisions' files")
    .requiredOption("--pod-manifest-dir <dir>", "manifest directory of the kubelet")
    .option(
      "--pod-manifests-lock-file <file>",
      "lock file for changes of manifests (default: in --resource-dir)",
    )
    .option(
      "--timeout-duration <duration>",
      "time limit in milliseconds or as a Go duration, for example 90s",
      parseGoDuration,
      twoMinutesMs,
    )
    .addOption(
      namesOption(
        "configmaps",
        "ConfigMaps of the revision, names without the revision suffix; comma-separated, repeatable",
      ).makeOptionMandatory(),
    )
    .option("--cert-dir <dir>", "directory of the certificates that revisions share");
  for (const [flag, description] of [
    ["optional-configmaps", "like --configmaps; they may be missing"],
    ["secrets", "Secrets of the revision, names without the revision suffix"],
    ["optional-secrets", "like --secrets; they may be missing"],
    ["cert-configmaps", "ConfigMaps to copy to --cert-dir"],
    ["optional-cert-configmaps", "like --cert-configmaps; they may be missing"],
    ["cert-secrets", "Secrets to copy to --cert-dir"],
    ["optional-cert-secrets", "like --cert-secrets; they may be missing"],
  ] as const)
    command.addOption(namesOption(flag, description));
  return addNodeOptions(command).action(
    runOnNode(async () => (await import("../../operators/kube-apiserver/static-pod-node.ts")).runInstaller),
  );
}
