import type { Command } from "commander";
import { parseGoDuration } from "../../options/go-duration.ts";
import { addNodeOptions, namesOption, parseRevision } from "../../options/node-options.ts";
import { runOnNode } from "./run-on-node.ts";

const twoMinutesMs = 120_000;

export function addInstaller(root: Command): Command {
  const command = root
    .command("installer")
    .description("write a revision of a static pod to the node that NODE_NAME names")
    .requiredOption("--revision <n>", "which", parseRevision)
    .requiredOption("--namespace <name>", "of the ConfigMaps and Secrets")
    .requiredOption("--pod <name>", "ConfigMap with the manifest, without the revision")
    .requiredOption("--resource-dir <dir>", "where the files of revisions are")
    .requiredOption("--pod-manifest-dir <dir>", "what the kubelet follows")
    .option(
      "--pod-manifests-lock-file <file>",
      "lock of who changes manifests (default: one in --resource-dir)",
    )
    .option("--timeout-duration <duration>", "at most this long", parseGoDuration, twoMinutesMs)
    .addOption(namesOption("configmaps", "of the revision, without it").makeOptionMandatory())
    .option("--cert-dir <dir>", "where the certificates of all revisions are");
  for (const [flag, description] of [
    ["optional-configmaps", "as --configmaps, and may be absent"],
    ["secrets", "of the revision, without it"],
    ["optional-secrets", "as --secrets, and may be absent"],
    ["cert-configmaps", "for --cert-dir"],
    ["optional-cert-configmaps", "as --cert-configmaps, and may be absent"],
    ["cert-secrets", "for --cert-dir"],
    ["optional-cert-secrets", "as --cert-secrets, and may be absent"],
  ] as const)
    command.addOption(namesOption(flag, description));
  return addNodeOptions(command).action(
    runOnNode(async () => (await import("../../operators/kube-apiserver/static-pod-node.ts")).runInstaller),
  );
}
