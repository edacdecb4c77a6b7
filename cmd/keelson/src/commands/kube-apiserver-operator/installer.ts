import { type Command, Option } from "commander";
import { parsePositiveDuration } from "../../options/go-duration.ts";
import { addNodeOptions, namesOption, parseRevision } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

const twoMinutesMs = 120_000;

export function addInstaller(root: Command): Command {
  const command = root
    .command("installer")
    .description(
      "write the files and manifest of a static pod revision to this node. The environment variable NODE_NAME is required",
    )
    .requiredOption("--revision <n>", "number of the revision (required)", parseRevision)
    .requiredOption("--namespace <name>", "namespace of the ConfigMaps and Secrets (required)")
    .requiredOption(
      "--pod <name>",
      "name of the ConfigMap with the pod manifest, without the revision suffix (required)",
    )
    .requiredOption("--resource-dir <dir>", "directory that contains the files of all revisions (required)")
    .requiredOption("--pod-manifest-dir <dir>", "static pod manifest directory of the kubelet (required)")
    .option(
      "--pod-manifests-lock-file <file>",
      "file that is locked during manifest changes (default: a file in --resource-dir)",
    )
    .addOption(
      new Option("--timeout-duration <duration>", "time limit of the installation, for example 90s")
        .argParser(parsePositiveDuration)
        .default(twoMinutesMs, "2m0s"),
    )
    .addOption(
      namesOption(
        "configmaps",
        "names of the revision's ConfigMaps, without the revision suffix; comma-separated, repeatable",
      ).makeOptionMandatory(),
    )
    .option(
      "--cert-dir <dir>",
      "output directory for certificates that all revisions use (default: no certificates are written)",
    );
  for (const [flag, description] of [
    ["optional-configmaps", "like --configmaps, but missing ConfigMaps are ignored"],
    ["secrets", "names of the revision's Secrets, without the revision suffix; comma-separated, repeatable"],
    ["optional-secrets", "like --secrets, but missing Secrets are ignored"],
    ["cert-configmaps", "names of ConfigMaps to copy to --cert-dir; comma-separated, repeatable"],
    ["optional-cert-configmaps", "like --cert-configmaps, but missing ConfigMaps are ignored"],
    ["cert-secrets", "names of Secrets to copy to --cert-dir; comma-separated, repeatable"],
    ["optional-cert-secrets", "like --cert-secrets, but missing Secrets are ignored"],
  ] as const)
    command.addOption(namesOption(flag, description));
  return addNodeOptions(command)
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator installer --revision 7 --namespace openshift-kube-apiserver --pod kube-apiserver-pod \\\n    --resource-dir /etc/kubernetes/static-pod-resources --pod-manifest-dir /etc/kubernetes/manifests --configmaps config",
    )
    .action(
      runOnNode(async () => (await import("../../operators/kube-apiserver/static-pod-node.ts")).runInstaller),
    );
}
