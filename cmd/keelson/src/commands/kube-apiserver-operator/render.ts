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
  manifestImagePullPolicy: ["policy", "pull policy of both"],
  manifestConfigHostPath: ["dir", "folder of the configuration on the machine"],
  manifestConfigFileName: ["name", "file in that folder"],
  manifestSecretsHostPath: ["dir", "folder of certificates and keys on the machine"],
  manifestCloudProviderHostPath: ["dir", "folder of the cloud's configuration on the machine"],
  manifestLockHostPath: ["dir", "folder of the lock on the machine"],
  manifestEtcdServingCa: ["file", "CA of etcd, below the folder of certificates"],
  assetInputDir: ["dir", "certificates and keys to put into the manifests; required"],
  assetOutputDir: ["dir", "where the manifests go; required"],
  configOutputFile: ["file", "where the API server's configuration goes; required"],
  templatesInputDir: ["dir", "accepted; the templates are part of this program"],
  payloadVersion: ["version", "of the release; the FeatureGate must know it"],
  clusterConfigFile: ["file", "Network of the cluster"],
  clusterAuthFile: ["file", "Authentication of the cluster"],
  infraConfigFile: ["file", "Infrastructure of the cluster"],
  operandKubernetesVersion: ["version", "of the API server; required"],
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
    .addOption(listOption("--rendered-manifest-files <files>", "files or folders with the FeatureGate"))
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
  return new Option(flags, `${description}; separated by commas, repeatable`)
    .default([])
    .argParser((text: string) => text.split(",").reduce((_, each) => parse(each), [] as readonly string[]));
}

/** The first value given replaces the default, later ones are added. */
function collect(): (text: string) => readonly string[] {
  const values: string[] = [];
  return (text) => {
    values.push(text);
    return values;
  };
}
