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
  manifestOperatorImage: ["image", "image of the operator; required"],
  manifestImagePullPolicy: ["policy", "pull policy of both images"],
  manifestConfigHostPath: ["dir", "directory of the configuration on the machine"],
  manifestConfigFileName: ["name", "file name of the configuration in that directory"],
  manifestSecretsHostPath: ["dir", "directory of certificates and keys on the machine"],
  manifestCloudProviderHostPath: ["dir", "directory of the cloud configuration on the machine"],
  manifestLockHostPath: ["dir", "directory of the lock on the machine"],
  manifestEtcdServingCa: ["file", "CA file of etcd, relative to the directory of certificates"],
  assetInputDir: ["dir", "directory of the certificates and keys for the manifests; required"],
  assetOutputDir: ["dir", "output directory of the manifests; required"],
  configOutputFile: ["file", "output file of the API server's configuration; required"],
  templatesInputDir: ["dir", "ignored, because the templates are part of this program"],
  payloadVersion: ["version", "release version; it must be listed in the FeatureGate"],
  clusterConfigFile: ["file", "file with the Network of the cluster"],
  clusterAuthFile: ["file", "file with the Authentication of the cluster"],
  infraConfigFile: ["file", "file with the Infrastructure of the cluster"],
  operandKubernetesVersion: ["version", "Kubernetes version of the API server; required"],
};

export function addRender(root: Command): Command {
  const command = root
    .command("render")
    .description("write the files of a new cluster's bootstrap API server; needs no cluster");
  for (const [name, [value, description]] of Object.entries(texts))
    command.addOption(new Option(`--${flagName(name)} <${value}>`, description).default(defaultOf(name)));
  return command
    .addOption(
      new Option("--manifest-etcd-server-urls <url>", "URL of etcd; repeatable")
        .default(renderDefaults.manifestEtcdServerUrls)
        .argParser(collect()),
    )
    .addOption(listOption("--config-override-files <files>", "sparse configurations, merged in this order"))
    .addOption(listOption("--rendered-manifest-files <files>", "files or directories with the FeatureGate"))
    .action(run);
}

async function run(flags: RenderOptions): Promise<void> {
  const { render } = await import("@keelson/kube-apiserver-operator");
  for (const file of await render(flags)) process.stdout.write(`${file}\n`);
}

function defaultOf(name: string): unknown {
  return (renderDefaults as unknown as Record<string, unknown>)[name];
}

function listOption(flags: string, description: string): Option {
  const parse = collect();
  return new Option(flags, `${description}; comma-separated, repeatable`)
    .default([])
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
