import { type Clock, isPlainObject, messageOf, stringAt, timeLimit } from "@keelson/base";
import { type KubeClient, KubeError, type KubeObject, type KubeResource, resources } from "@keelson/kube";
import { parse } from "yaml";
import { errors } from "../base/errors.ts";
import { stringMapAt } from "../base/fields.ts";
import type { InstallFlags, SourceNames } from "./flags.ts";
import type { DiskFile, NodeDisk } from "./node-disk.ts";
import { settleRevisions } from "./settle-revisions.ts";

export interface InstallDeps {
  readonly kube: KubeClient;
  readonly disk: NodeDisk;
  /** Name of the node. */
  readonly node: string;
  readonly clock: Clock;
  readonly print: (line: string) => void;
}

const retryMs = 1_000;
const manifestMember = "pod.yaml";

/**
 * Installs one revision of a static pod on a node. Writes its ConfigMaps, Secrets and certificates, then its manifest. The
 * kubelet then starts the pod. An Event reports the result.
 */
export async function install(flags: InstallFlags, deps: InstallDeps, signal: AbortSignal): Promise<void> {
  const { revision, namespace } = flags;
  const { kube, node, clock } = deps;
  await settleRevisions(kube, { namespace, node, revision }, clock, signal);
  try {
    await installRevision(flags, deps, signal);
  } catch (error) {
    await report(flags, deps, {
      type: "Warning",
      reason: "StaticPodInstallerFailed",
      message: `Installing revision ${revision}: ${messageOf(error)}`,
    });
    throw error;
  }
  await report(flags, deps, {
    type: "Normal",
    reason: "StaticPodInstallerCompleted",
    message: `Successfully installed revision ${revision}`,
  });
}

async function installRevision(flags: InstallFlags, deps: InstallDeps, signal: AbortSignal): Promise<void> {
  const { revision, resourceDir, manifestDir, certDir, pod } = flags;
  const { disk, print } = deps;
  const directory = `${resourceDir}/${pod}-${revision}`;
  const copy = new SourceCopy(flags, deps, signal);
  await disk.makeDirectory(directory);
  await copy.all(flags.revisioned, directory, `-${revision}`);
  if (certDir !== undefined) await copy.all(flags.certs, certDir, "");
  const manifests = await copy.texts(resources.configMaps, `${pod}-${revision}`);
  if (manifests?.[manifestMember] === undefined)
    throw errors.InvalidStaticPodManifest(`ConfigMap ${pod}-${revision} has no ${manifestMember}`);
  for (const [name, text] of Object.entries(manifests)) {
    if (name !== manifestMember && !name.endsWith("-pod.yaml")) continue;
    const file = name === manifestMember ? `${pod}.yaml` : name;
    const manifest = { content: manifestOf(name, text.toString()), mode: 0o600 };
    await disk.write(`${directory}/${file}`, manifest);
    await disk.write(`${manifestDir}/${file}`, manifest);
    print(`Wrote static pod manifest ${manifestDir}/${file}`);
  }
}

/** Copies ConfigMaps and Secrets of the operand's namespace to directories on the disk. */
class SourceCopy {
  readonly #flags: InstallFlags;
  readonly #deps: InstallDeps;
  readonly #signal: AbortSignal;

  constructor(flags: InstallFlags, deps: InstallDeps, signal: AbortSignal) {
    this.#flags = flags;
    this.#deps = deps;
    this.#signal = signal;
  }

  /** Copies all named objects. Reads all of them before the first write. @throws MissingStaticPodSource */
  async all(names: SourceNames, directory: string, suffix: string): Promise<void> {
    const wanted = [
      ...this.#entries("secrets", names.secrets, names.optionalSecrets),
      ...this.#entries("configmaps", names.configMaps, names.optionalConfigMaps),
    ];
    const found: { readonly path: string; readonly texts: Readonly<Record<string, Buffer>> }[] = [];
    for (const { kind, name, optional } of wanted) {
      const resource = kind === "secrets" ? resources.secrets : resources.configMaps;
      const texts = await this.texts(resource, `${name}${suffix}`);
      if (texts) found.push({ path: `${directory}/${kind}/${name}`, texts });
      else if (!optional)
        throw errors.MissingStaticPodSource(
          `${kind} "${name}${suffix}" not found in ${this.#flags.namespace}`,
        );
    }
    for (const { path, texts } of found) await this.#deps.disk.replaceDirectory(path, filesOf(path, texts));
    this.#deps.print(`Copied ${found.length} secrets and config maps to ${directory}`);
  }

  #entries(kind: "secrets" | "configmaps", required: readonly string[], optional: readonly string[]) {
    return [
      ...required.map((name) => ({ kind, name, optional: false })),
      ...optional.map((name) => ({ kind, name, optional: true })),
    ];
  }

  /**
   * Returns the data of an object by key, with the placeholders for the revision and the node replaced. Undefined if the object
   * does not exist.
   */
  async texts(resource: KubeResource, name: string): Promise<Readonly<Record<string, Buffer>> | undefined> {
    const object = await this.#find(resource, name);
    if (!object) return undefined;
    const decode = (text: string) =>
      resource === resources.secrets ? Buffer.from(text, "base64") : Buffer.from(text);
    const { node } = this.#deps;
    const fill = (bytes: Buffer) => {
      // Decodes as latin1, because this encoding preserves all bytes of binary data. The placeholders are ASCII.
      const text = bytes.toString("latin1");
      const filled = text
        .replaceAll("REVISION", String(this.#flags.revision))
        .replaceAll("NODE_NAME", node)
        .replaceAll("NODE_ENVVAR_NAME", node.replace(/[-.]/g, "_"));
      return Buffer.from(filled, "latin1");
    };
    return Object.fromEntries(
      Object.entries(stringMapAt(object, "data")).map(([member, text]) => [member, fill(decode(text))]),
    );
  }

  /**
   * Reads an object, if it exists. Retries while the API server restarts, for example because a new revision of its static pod
   * starts.
   */
  async #find(resource: KubeResource, name: string): Promise<KubeObject | undefined> {
    const { namespace } = this.#flags;
    for (;;) {
      try {
        return await this.#deps.kube.find(resource, { namespace, name }, this.#signal);
      } catch (error) {
        if (this.#signal.aborted || !(error instanceof KubeError) || error.retry === "never") throw error;
        await this.#deps.clock.sleep(retryMs, this.#signal);
      }
    }
  }
}

function filesOf(path: string, texts: Readonly<Record<string, Buffer>>): Readonly<Record<string, DiskFile>> {
  const scriptMode = path.includes("/secrets/") ? 0o700 : 0o755;
  return Object.fromEntries(
    Object.entries(texts).map(([name, content]) => [
      name,
      { content, mode: name.endsWith(".sh") ? scriptMode : 0o600 },
    ]),
  );
}

/** Converts a manifest to JSON, which is valid YAML. @throws InvalidStaticPodManifest */
function manifestOf(member: string, text: string): string {
  let manifest: unknown;
  try {
    manifest = parse(text, { maxAliasCount: 100 });
  } catch (cause) {
    throw errors.InvalidStaticPodManifest(`${member} is not valid YAML`, { cause });
  }
  if (!isPlainObject(manifest) || stringAt(manifest, "kind") !== "Pod")
    throw errors.InvalidStaticPodManifest(`${member} is not a Pod`);
  return `${JSON.stringify(manifest)}\n`;
}

/** Creates an Event for the namespace. A failure is ignored. */
async function report(
  { namespace }: InstallFlags,
  { kube, clock, node, print }: InstallDeps,
  event: { readonly type: "Normal" | "Warning"; readonly reason: string; readonly message: string },
): Promise<void> {
  print(event.message);
  const now = `${clock.now().toISOString().slice(0, 19)}Z`;
  const component = "static-pod-installer";
  const object: KubeObject = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { namespace, name: `${component}.${clock.now().getTime().toString(16)}` },
    involvedObject: { apiVersion: "v1", kind: "Namespace", name: namespace, namespace },
    ...event,
    count: 1,
    firstTimestamp: now,
    lastTimestamp: now,
    source: { component, host: node },
    reportingComponent: component,
    reportingInstance: node,
  };
  try {
    await kube.create(resources.events, object, timeLimit(reportTimeoutMs));
  } catch (error) {
    print(`no event: ${messageOf(error)}`);
  }
}

const reportTimeoutMs = 5_000;
