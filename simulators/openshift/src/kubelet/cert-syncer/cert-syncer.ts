import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { KubeObject } from "@keelson/apiserver";
import { messageOf } from "@keelson/base";
import { stringMapAt } from "../../base/fields.ts";
import { type Resource, resources } from "../../base/resources.ts";
import { type DiskFile, NodeDisk } from "../../static-pod-installer/node-disk.ts";
import { recordEvent } from "../../workload-context/record-event.ts";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import type { Program, ProgramIo } from "../containers/program.ts";
import { type SyncedSources, syncedSources } from "./synced-sources.ts";

const kinds = [
  { plural: "configmaps", noun: "configmap", resource: resources.configMaps, mode: 0o644, encoding: "utf8" },
  { plural: "secrets", noun: "secret", resource: resources.secrets, mode: 0o600, encoding: "base64" },
] as const;
type Kind = (typeof kinds)[number];

interface Source {
  readonly kind: Kind;
  readonly name: string;
}

const retryMs = 1_000;
const maxRetryMs = 60_000;

/**
 * Returns the cert syncer program of a static pod. `undefined` if the operator has no cert syncer. The program copies
 * certificates to the node's disk, so that a certificate change needs no new static pod revision. The program reads the
 * certificates with the kubelet's permissions because static pods have no service account.
 */
export function certSyncerOf(
  operator: string,
  { context, pod }: { readonly context: WorkloadContext; readonly pod: () => KubeObject },
): Program | undefined {
  const sources = Object.hasOwn(syncedSources, operator) ? syncedSources[operator] : undefined;
  return sources && ((io) => new CertSyncer(io, sources, context, pod).run());
}

class CertSyncer {
  readonly #io: ProgramIo;
  readonly #context: WorkloadContext;
  readonly #podNow: () => KubeObject;
  readonly #optional: ReadonlySet<string>;
  readonly #sources: readonly Source[];
  readonly #namespace: string;
  readonly #directory: string;
  readonly #disk: NodeDisk;

  constructor(io: ProgramIo, sources: SyncedSources, context: WorkloadContext, podNow: () => KubeObject) {
    const { values } = parseArgs({
      args: io.args.slice(2),
      options: {
        namespace: { type: "string", short: "n" },
        "destination-dir": { type: "string" },
      },
      strict: false,
      allowPositionals: true,
    });
    this.#io = io;
    this.#context = context;
    this.#podNow = podNow;
    this.#optional = sources.optional;
    this.#namespace = required("namespace", values.namespace);
    // The program reads with the kubelet's permissions, and any pod can set the annotations of a static pod. Without this check,
    // such a pod could read the secrets of other namespaces.
    if (this.#namespace !== podNow().metadata.namespace)
      throw new Error("--namespace must be the namespace of the pod");
    this.#directory = required("destination-dir", values["destination-dir"]);
    this.#disk = new NodeDisk(io.files);
    const [configMap, secret] = kinds;
    this.#sources = [
      ...sources.configMaps.map((name) => ({ kind: configMap, name })),
      ...sources.secrets.map((name) => ({ kind: secret, name })),
    ];
  }

  /** Copies all sources, then copies each source again when it changes. Retries failed copies until the program stops. */
  async run(): Promise<number> {
    const { signal, clock, stderr } = this.#io;
    const due = new Set(this.#sources);
    let wake = Promise.withResolvers<void>();
    using watches = new DisposableStack();
    for (const kind of kinds)
      watches.use(
        this.#context.informer(kind.resource).subscribe(({ object: { metadata } }) => {
          if (metadata.namespace !== this.#namespace) return;
          const source = this.#sources.find((each) => each.kind === kind && each.name === metadata.name);
          if (!source) return;
          due.add(source);
          wake.resolve();
        }),
      );
    const stopped = () => wake.resolve();
    signal.addEventListener("abort", stopped, { once: true });
    let pauseMs = retryMs;
    while (!signal.aborted) {
      const sources = [...due];
      due.clear();
      wake = Promise.withResolvers<void>();
      const failed = new Set<Source>();
      for (const source of sources)
        try {
          await this.#sync(source);
        } catch (error) {
          failed.add(source);
          await stderr(`Failed syncing ${source.kind.noun}: ${source.name}: ${messageOf(error)}\n`);
        }
      if (failed.size === 0) {
        pauseMs = retryMs;
        if (due.size === 0 && !signal.aborted) await wake.promise;
        continue;
      }
      for (const source of failed) due.add(source);
      await clock.sleep(pauseMs, signal).catch(() => undefined);
      pauseMs = Math.min(maxRetryMs, pauseMs * 2);
    }
    return 0;
  }

  async #sync({ kind, name }: Source): Promise<void> {
    const { client } = this.#context;
    const directory = `${this.#directory}/${kind.plural}/${name}`;
    const about = `${kind.noun}: ${this.#namespace}/${name}`;
    const present = await this.#read(directory);
    const live = await client.find(kind.resource as Resource, { namespace: this.#namespace, name });
    if (!live) {
      if (!present || !this.#optional.has(name)) return;
      await this.#disk.remove(directory);
      await this.#report("CertificateRemoved", `Removed file for missing ${about}`);
      return;
    }
    const wanted = Object.entries(stringMapAt(live, "data")).map(
      ([member, text]) => [member, Buffer.from(text, kind.encoding)] as const,
    );
    const isSame =
      present?.size === wanted.length &&
      wanted.every(([member, bytes]) => present.get(member)?.equals(bytes));
    if (isSame) return;
    const files = wanted.map(([member, content]): [string, DiskFile] => [
      member,
      { content, mode: kind.mode },
    ]);
    await this.#disk.replaceDirectory(directory, Object.fromEntries(files));
    await this.#report("CertificateUpdated", `Wrote updated ${about}`);
  }

  /** Reads all files of a directory. `undefined` if the directory does not exist. */
  async #read(directory: string): Promise<ReadonlyMap<string, Buffer> | undefined> {
    const place = await this.#io.files.resolve(directory);
    const names = await readdir(place).catch(() => undefined);
    if (!names) return undefined;
    const entries = names.map(async (name) => [name, await readFile(join(place, name))] as const);
    return new Map(await Promise.all(entries));
  }

  async #report(reason: "CertificateUpdated" | "CertificateRemoved", message: string): Promise<void> {
    const type = reason === "CertificateUpdated" ? "Normal" : "Warning";
    await this.#io.stderr(`${message}\n`);
    await recordEvent(this.#context, this.#podNow(), { type, reason, message, source: "cert-syncer" });
  }
}

function required(flag: string, value: string | boolean | undefined): string {
  if (typeof value !== "string" || value === "") throw new Error(`--${flag} is required`);
  return value;
}
