import { readFile } from "node:fs/promises";
import type { SparseConfig } from "@keelson/operator-kit";
import { bindingFor } from "../config/binding.ts";
import type { ClusterNetworks } from "./cluster-networks.ts";
import { parseManifests } from "./manifest-files.ts";
import type { RenderOptions } from "./render-options.ts";

export interface OverrideFacts {
  readonly options: RenderOptions;
  readonly networks: ClusterNetworks;
  readonly issuer: string;
}

/**
 * Reads a sparse configuration from a file of `--config-override-files`. The file may contain placeholders for cluster facts,
 * such as `{{ .BindAddress }}`.
 * @throws Error that names the file and an unknown placeholder
 */
export async function readConfigOverride(file: string, facts: OverrideFacts): Promise<SparseConfig> {
  const values = fieldsOf(facts);
  const text = (await readFile(file, "utf8")).replace(/\{\{([^}]*)\}\}/g, (whole, expression: string) => {
    const name = expression.match(/^-?\s*\.(\w+)\s*-?$/)?.[1];
    const value = name === undefined ? undefined : values.get(name);
    if (value === undefined)
      throw new Error(`${file}: ${whole} is not known; fields are ${[...values.keys()].join(", ")}`);
    return value;
  });
  return parseManifests(file, text)[0]?.content ?? {};
}

function fieldsOf({ options, networks, issuer }: OverrideFacts): ReadonlyMap<string, string> {
  const { bindAddress, bindNetwork } = bindingFor(networks.cluster);
  return new Map([
    ["Namespace", options.manifestNamespace],
    ["Image", options.manifestImage],
    ["OperatorImage", options.manifestOperatorImage],
    ["ImagePullPolicy", options.manifestImagePullPolicy],
    ["ConfigHostPath", options.manifestConfigHostPath],
    ["ConfigFileName", options.manifestConfigFileName],
    ["CloudProviderHostPath", options.manifestCloudProviderHostPath],
    ["SecretsHostPath", options.manifestSecretsHostPath],
    ["LockHostPath", options.manifestLockHostPath],
    ["EtcdServingCA", options.manifestEtcdServingCa],
    ["BindAddress", bindAddress],
    ["BindNetwork", bindNetwork],
    ["ServiceAccountIssuer", issuer],
  ]);
}
