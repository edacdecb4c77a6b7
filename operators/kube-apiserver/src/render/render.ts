import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { messageOf, stringAt } from "@keelson/base";
import type { SparseConfig } from "@keelson/operator-kit";
import { stringify } from "yaml";
import { featureGatesOf } from "../config/feature-gates.ts";
import { bootstrapConfig } from "./bootstrap-config.ts";
import { bootstrapManifests } from "./bootstrap-manifests.ts";
import { bootstrapPod } from "./bootstrap-pod.ts";
import { type ClusterNetworks, clusterNetworks } from "./cluster-networks.ts";
import { readConfigOverride } from "./config-override.ts";
import { type FileManifest, findManifest, readManifests, readObject } from "./manifest-files.ts";
import { type RenderOptions, validateRenderOptions } from "./render-options.ts";
import { ensureSigningKeyPair } from "./signing-key-pair.ts";

const configGroup = "config.openshift.io";
const defaultIssuer = "https://kubernetes.default.svc";
const terminationSeconds = { singleNode: 15, highlyAvailable: 135 };

/**
 * Writes the configuration and the pod of the bootstrap API server and the initial manifests of the cluster. It does not connect
 * to a cluster. The output is deterministic, except for the signing key pair, which is generated if it is missing.
 * @throws Error that names the flag or the file
 */
export async function render(options: RenderOptions): Promise<readonly string[]> {
  validateRenderOptions(options);
  const manifests = await readManifests(options.renderedManifestFiles);
  const gates = featureGatesOf(featureGateIn(manifests), options.payloadVersion);
  const networks = await readNetworks(options.clusterConfigFile);
  const issuer = await readIssuer(options.clusterAuthFile, manifests);
  const isSingleNode = await readIsSingleNode(options.infraConfigFile);
  const overrides = await Promise.all(
    options.configOverrideFiles.map((file) => readConfigOverride(file, { options, networks, issuer })),
  );
  await ensureSigningKeyPair(options.assetInputDir);
  const config = bootstrapConfig(
    {
      gates,
      networks,
      issuer,
      isSingleNode,
      etcdServerUrls: options.manifestEtcdServerUrls,
      etcdServingCa: options.manifestEtcdServingCa,
    },
    overrides,
  );
  const seconds = terminationSeconds[isSingleNode ? "singleNode" : "highlyAvailable"];
  const files = new Map<string, SparseConfig>([
    [
      join(options.assetOutputDir, "bootstrap-manifests", "kube-apiserver-pod.yaml"),
      bootstrapPod(options, seconds),
    ],
  ]);
  const read = (name: string) => readFile(join(options.assetInputDir, name), "utf8");
  for (const [name, manifest] of await bootstrapManifests(read))
    files.set(join(options.assetOutputDir, "manifests", name), manifest);
  files.set(options.configOutputFile, config);
  for (const [file, content] of files) await writeYaml(file, content);
  return [...files.keys()];
}

function featureGateIn(manifests: readonly FileManifest[]): Record<string, unknown> {
  const manifest = findManifest(manifests, configGroup, "FeatureGate");
  if (!manifest) throw new Error("no FeatureGates found in --rendered-manifest-files");
  return manifest.content;
}

async function readNetworks(file: string): Promise<ClusterNetworks> {
  if (file === "") return { cluster: [], service: [] };
  try {
    return clusterNetworks(await readObject(file));
  } catch (error) {
    throw new Error(`unable to parse restricted CIDRs from config "${file}": ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * Returns the issuer of service account tokens. If `file` is missing or empty, the Authentication in `manifests` determines the
 * issuer, because not every installation configures authentication in the file.
 */
async function readIssuer(file: string, manifests: readonly FileManifest[]): Promise<string> {
  const size = file === "" ? 0 : ((await stat(file).catch(ignoreMissing))?.size ?? 0);
  const fromFile = size === 0 ? undefined : await readObject(file);
  const authentication =
    fromFile ?? findManifest(manifests, configGroup, "Authentication", "cluster")?.content;
  return stringAt(authentication, "spec", "serviceAccountIssuer") || defaultIssuer;
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}

async function readIsSingleNode(file: string): Promise<boolean> {
  if (file === "") return false;
  return stringAt(await readObject(file), "status", "controlPlaneTopology") === "SingleReplica";
}

async function writeYaml(file: string, content: SparseConfig): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  // Merged layers share objects, for which the library would write YAML anchors. Anchors are disabled, because readers may not
  // support them.
  await writeFile(file, stringify(content, { aliasDuplicateObjects: false, sortMapEntries: true }));
}
