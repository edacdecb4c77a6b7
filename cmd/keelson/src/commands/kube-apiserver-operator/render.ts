import process from "node:process";
import {
  flagName,
  type RenderOptions,
  renderDefaults,
} from "@keelson/kube-apiserver-operator/render-options";
import { type Command, Option } from "commander";

/** Placeholder and description of each flag with a string value. */
const texts: Readonly<Record<string, readonly [value: string, description: string]>> = {
  manifestNamespace: ["name", "namespace of the API servers"],
  manifestImage: ["image", "image of the API server"],
  manifestOperatorImage: ["image", "image of the operator"],
  manifestImagePullPolicy: ["policy", "image pull policy of the API server and the operator"],
  manifestConfigHostPath: ["dir", "directory of the configuration on the bootstrap machine"],
  manifestConfigFileName: ["name", "file name of the configuration in --manifest-config-host-path"],
  manifestSecretsHostPath: ["dir", "directory of certificates and keys on the bootstrap machine"],
  manifestCloudProviderHostPath: ["dir", "directory of the cloud configuration on the bootstrap machine"],
  manifestLockHostPath: ["dir", "directory of the lock file on the bootstrap machine"],
  manifestEtcdServingCa: ["file", "CA file of etcd, relative to --manifest-secrets-host-path"],
  assetInputDir: ["dir", "input directory with the certificates and keys"],
  assetOutputDir: ["dir", "output directory for the manifests"],
  configOutputFile: ["file", "output file for the API server's configuration"],
  templatesInputDir: ["dir", "ignored, because the templates are built in"],
  payloadVersion: [
    "version",
    "OpenShift release version. The FeatureGate in --rendered-manifest-files must contain the feature gates of this version",
  ],
  clusterConfigFile: ["file", "file with the Network object of the cluster"],
  clusterAuthFile: ["file", "file with the Authentication object of the cluster"],
  infraConfigFile: ["file", "file with the Infrastructure object of the cluster"],
  operandKubernetesVersion: ["version", "Kubernetes version of the API server"],
};

/** Flags with a string value but without a usable default. */
const requiredTexts: ReadonlySet<string> = new Set([
  "manifestOperatorImage",
  "assetInputDir",
  "assetOutputDir",
  "configOutputFile",
  "payloadVersion",
  "operandKubernetesVersion",
]);

export function addRender(root: Command): Command {
  const command = root
    .command("render")
    .description("write the manifests and configuration of the bootstrap API server for a new cluster");
  for (const [name, [value, description]] of Object.entries(texts))
    command.addOption(
      new Option(`--${flagName(name)} <${value}>`, description).default(defaultOf(name), defaultText(name)),
    );
  return command
    .addOption(
      new Option("--manifest-etcd-server-urls <url>", "URL of etcd; repeatable")
        .default(renderDefaults.manifestEtcdServerUrls)
        .argParser(collect()),
    )
    .addOption(
      listOption(
        "--config-override-files <files>",
        "files with partial API server configurations. Later files override earlier files",
      ),
    )
    .addOption(
      listOption(
        "--rendered-manifest-files <files>",
        "manifest files, or directories with manifests; one manifest must be the FeatureGate",
      ),
    )
    .addHelpText(
      "after",
      "\nExample:\n  keelson kube-apiserver-operator render --manifest-operator-image registry.example.com/operator:v1 --asset-input-dir tls \\\n    --asset-output-dir manifests --config-output-file config.yaml --operand-kubernetes-version 1.32.5 \\\n    --payload-version 4.19.24 --rendered-manifest-files rendered",
    )
    .action(run);
}

async function run(flags: RenderOptions): Promise<void> {
  const { render } = await import("@keelson/kube-apiserver-operator");
  for (const file of await render(flags)) process.stdout.write(`${file}\n`);
}

function defaultOf(name: string): unknown {
  return (renderDefaults as unknown as Record<string, unknown>)[name];
}

/**
 * Returns the text that the help shows instead of an empty default. Undefined for all other defaults, which the help shows
 * unchanged.
 */
function defaultText(name: string): string | undefined {
  if (defaultOf(name) !== "") return undefined;
  return requiredTexts.has(name) ? "none; required" : "none";
}

function listOption(flags: string, description: string): Option {
  const parse = collect();
  return new Option(flags, `${description}; comma-separated, repeatable`)
    .default([], "none")
    .argParser((text: string) => text.split(",").reduce((_, each) => parse(each), [] as readonly string[]));
}

/** Returns an option parser for a repeatable flag. The first value replaces the default. Later values are appended. */
function collect(): (text: string) => readonly string[] {
  const values: string[] = [];
  return (text) => {
    values.push(text);
    return values;
  };
}
