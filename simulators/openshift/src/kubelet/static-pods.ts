import { createHash } from "node:crypto";
import { type FSWatcher, watch as watchDirectory } from "node:fs";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { KubeObject } from "@keelson/apiserver";
import { aborted, isPlainObject, messageOf, objectAt, stringAt } from "@keelson/base";
import {
  type Controller,
  done,
  type Result,
  timestamp,
  watch,
  watchMapped,
  watchSource,
} from "@keelson/controller";
import type { ObjectKey } from "@keelson/kube";
import { parse } from "yaml";
import { stringMapAt } from "../base/fields.ts";
import { resources } from "../base/resources.ts";
import { hasReason } from "../base/status-reason.ts";
import type { WorkloadContext } from "../workload-context/workload-context.ts";

const { nodes, pods } = resources;
const mirrorAnnotation = "kubernetes.io/config.mirror";
const manifestsPath = "etc/kubernetes/manifests";
/** Milliseconds between a file change and the read of the manifests. The delay allows a writer to complete several files. */
const settleMs = 20;
const maxManifestBytes = 1024 * 1024;

/** Last read version of a manifest file. Unchanged files are not parsed again. */
interface ReadFile {
  readonly text: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/**
 * Creates a mirror pod for each manifest in a node's `/etc/kubernetes/manifests`. A deleted mirror pod is recreated. If a file
 * changes, its pod is replaced. If a file is deleted, its pod is deleted. If a node is deleted, its directory is deleted.
 */
export class StaticPods implements Disposable {
  readonly controller: Controller<WorkloadContext>;
  readonly #directoryOf: (node: string) => string;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Manifest files by node and file name. */
  readonly #read = new Map<string, ReadonlyMap<string, ReadFile>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Queues a node for reconciliation although its object has not changed. */
  #enqueue: (node: ObjectKey) => void = () => undefined;

  constructor(directoryOf: (node: string) => string) {
    this.#directoryOf = directoryOf;
    this.controller = {
      name: "static-pods",
      watches: [
        watch(nodes, { where: ({ type }) => type !== "updated" }),
        watchMapped(pods, (pod) =>
          isMirror(pod) ? [{ name: stringAt(pod, "spec", "nodeName") ?? "" }] : [],
        ),
        watchSource(async (add, _context, signal) => {
          this.#enqueue = add;
          await aborted(signal);
        }),
      ],
      reconcile: ({ name }, context) => this.#reconcile(name, context),
    };
  }

  [Symbol.dispose](): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #reconcile(name: string, context: WorkloadContext): Promise<Result> {
    const node = context.informer(nodes).get({ name });
    const mirrors = context.informer(pods).by("node", name).filter(isMirror);
    if (!node) {
      this.#watchers.get(name)?.close();
      this.#watchers.delete(name);
      this.#read.delete(name);
      await rm(this.#directoryOf(name), { recursive: true, force: true });
      return done;
    }
    const directory = join(this.#directoryOf(name), manifestsPath);
    await mkdir(directory, { recursive: true });
    this.#watch(name, directory);
    const files = await readManifests(directory, name, context, this.#read.get(name));
    this.#read.set(name, files);
    const now = context.clock.now();
    const wanted = [...files.values()].map((file) => mirrorOf(file, node, now));
    for (const mirror of mirrors) {
      const manifest = wanted.find((each) => sameName(each, mirror));
      const hash = stringMapAt(mirror, "metadata", "annotations")[mirrorAnnotation];
      const same = manifest && stringMapAt(manifest, "metadata", "annotations")[mirrorAnnotation] === hash;
      if (same || mirror.metadata.deletionTimestamp !== undefined) continue;
      await context.delete(pods, mirror);
    }
    for (const manifest of wanted) {
      if (context.informer(pods).get(manifest.metadata)) continue;
      try {
        await context.create(pods, manifest);
      } catch (error) {
        // The namespace does not exist yet, or the previous mirror pod is still terminating.
        if (!hasReason(error, "NotFound") && !hasReason(error, "AlreadyExists")) throw error;
        return { requeueAfterMs: 1_000 };
      }
    }
    return done;
  }

  #watch(name: string, directory: string): void {
    if (this.#watchers.has(name)) return;
    const watcher = watchDirectory(directory, { persistent: false }, () => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#enqueue({ name });
      }, settleMs);
      this.#timers.add(timer);
    });
    watcher.on("error", () => this.#watchers.delete(name));
    this.#watchers.set(name, watcher);
  }
}

export function isMirror(pod: KubeObject): boolean {
  return stringMapAt(pod, "metadata", "annotations")[mirrorAnnotation] !== undefined;
}

function sameName(a: KubeObject, b: KubeObject): boolean {
  return a.metadata.name === b.metadata.name && a.metadata.namespace === b.metadata.namespace;
}

/** Reads the manifest files in order. Files that are unchanged since `before` are not parsed again. */
async function readManifests(
  directory: string,
  node: string,
  context: WorkloadContext,
  before: ReadonlyMap<string, ReadFile> | undefined,
): Promise<ReadonlyMap<string, ReadFile>> {
  const found = new Map<string, ReadFile>();
  for (const name of (await readdir(directory)).toSorted()) {
    if (name.startsWith(".") || !/\.(ya?ml|json)$/.test(name)) continue;
    try {
      const { size } = await stat(join(directory, name));
      if (size > maxManifestBytes) throw new Error(`its ${size} bytes are more than ${maxManifestBytes}`);
      const text = await readFile(join(directory, name), "utf8");
      const known = before?.get(name);
      found.set(name, known?.text === text ? known : { text, manifest: parseManifest(text) });
    } catch (error) {
      context.logger.warn(
        { node, file: name, error: messageOf(error) },
        "static pod manifest cannot be read",
      );
    }
  }
  return found;
}

function parseManifest(text: string): Readonly<Record<string, unknown>> {
  const manifest: unknown = parse(text, { maxAliasCount: 100 });
  if (!isPlainObject(manifest) || stringAt(manifest, "kind") !== "Pod") throw new Error("it is not a Pod");
  return manifest;
}

function mirrorOf({ text, manifest }: ReadFile, node: KubeObject, now: Date): KubeObject {
  const hash = createHash("md5").update(text).update(node.metadata.name).digest("hex");
  const metadata = objectAt(manifest, "metadata");
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${stringAt(metadata, "name")}-${node.metadata.name}`,
      namespace: stringAt(metadata, "namespace") ?? "default",
      labels: stringMapAt(metadata, "labels"),
      annotations: {
        ...stringMapAt(metadata, "annotations"),
        "kubernetes.io/config.hash": hash,
        [mirrorAnnotation]: hash,
        "kubernetes.io/config.seen": timestamp(now),
        "kubernetes.io/config.source": "file",
      },
      ownerReferences: [
        {
          apiVersion: "v1",
          kind: "Node",
          name: node.metadata.name,
          uid: node.metadata.uid ?? "",
          controller: true,
        },
      ],
    },
    spec: {
      ...objectAt(manifest, "spec"),
      nodeName: node.metadata.name,
      tolerations: [{ operator: "Exists", effect: "NoExecute" }],
    },
  };
}
