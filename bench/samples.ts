import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { apiServers } from "@keelson/controller/testing";
import { conditionStatus, type KubeClient, type KubeObject, type ObjectKey, resources } from "@keelson/kube";
import { loadCatalogue } from "@keelson/samples-operator";
import {
  catalogueDirectory,
  clusterOperatorName,
  contentNamespace,
  imageAndTemplateCrds,
  imageStreams,
  operatorNamespace,
  templates,
} from "@keelson/samples-operator/testing";
import { openShiftCrds } from "@keelson/sim-openshift/testing";
import { catalogueFiles } from "./samples-catalogue.ts";
import { residentMegabytes, startOperator } from "./support/operator-process.ts";
import type { BenchOption } from "./support/options.ts";
import { requestCounter } from "./support/request-counter.ts";
import { figure, printTable } from "./support/table.ts";

export const samplesOptions: Readonly<Record<string, BenchOption>> = {
  content: {
    value: "DIR",
    help: "directory of catalogues, one per architecture (default: generated catalogues as large as OpenShift's)",
    initial: "",
  },
};

const signal = AbortSignal.timeout(900_000);
const peerNamespace = "bench-peer";
const deletions = 20;
/** Memory of the original operator with the same catalogue, in MB. */
const original = { resident: 67 };

/**
 * Measures the samples operator as a separate process. The API server is kube-apiserver if `KUBEBUILDER_ASSETS` is set. Compares
 * the operator with a client that only creates the same objects sequentially.
 */
export async function benchSamples({ content = "" }: Readonly<Record<string, string>>): Promise<void> {
  await using generated = await catalogueDirectory(content === "" ? catalogueFiles() : {});
  const catalogues = content === "" ? generated.directory : content;
  const catalogue = await loadCatalogue(catalogues, "x86_64", signal);
  const samples = [...catalogue.imageStreams.values(), ...catalogue.templates.values()];
  const chosen = apiServers.at(-1);
  if (!chosen) throw new Error("there is no API server");
  await using server = await chosen.start();
  await using kube = server.connect();
  await using directory = await mkdtempDisposable(join(tmpdir(), "bench-samples-"));
  const kubeconfig = join(directory.path, "kubeconfig");
  await writeFile(kubeconfig, server.kubeconfig);
  await prepare(kube);
  const peerMs = await createEach(kube, samples);
  const writes = await requestCounter(await readFile(kubeconfig, "utf8"), isWrite);
  const begin = () =>
    new OperatorProcess(
      startOperator([
        ...["samples-operator", "--kubeconfig", kubeconfig, "--content", catalogues],
        ...["--release", "4.19.1", "--no-registry-check"],
      ]),
    );
  const before = await writes();
  await using first = begin();
  await first.reports(kube);
  const availableMs = performance.now() - first.began;
  await delay(15_000);
  const used = (await writes()) - before;
  const installedMs = first.installedMs;
  const resident = residentMegabytes(first.child);
  const back = (await deletedToBack(kube, samples)).toSorted((a, b) => a - b);
  await first[Symbol.asyncDispose]();
  const between = await writes();
  await using second = begin();
  await second.says("caches are filled");
  await delay(5_000);
  const again = (await writes()) - between;
  printTable([
    [`the samples operator, ${samples.length} samples, on ${chosen.name}`, "figure", "beside", "unit"],
    ["process started to Available", figure(availableMs / 1_000), "", "s"],
    ["first to last sample; sequential creates", figure(installedMs), figure(peerMs), "ms"],
    ["the same as a ratio", figure(installedMs / peerMs), "1.00", ""],
    [
      "a sample deleted to made again, median",
      figure(back[Math.floor(back.length / 2)] ?? Number.NaN),
      "",
      "ms",
    ],
    ["writes, Events among them; samples", `${used}`, `${samples.length}`, ""],
    ["writes of a second start", `${again}`, "0", ""],
    ["resident memory; the original", figure(resident), figure(original.resident), "MB"],
  ]);
}

/**
 * True if a metric's labels belong to write requests of the operator. Lease renewals do not count, because they continue while
 * the operator is idle.
 */
function isWrite(labels: string): boolean {
  return (
    /verb="(?:POST|PUT|PATCH|APPLY|DELETE)"/.test(labels) &&
    /resource="(?:imagestreams|templates|configs|configmaps|clusteroperators|events)"/.test(labels)
  );
}

async function prepare(kube: KubeClient): Promise<void> {
  const names = ["configs.samples.operator.openshift.io", "clusteroperators.config.openshift.io"];
  const released = openShiftCrds("Default") as unknown as readonly KubeObject[];
  const definitions = [
    ...released.filter(
      ({ metadata }) => names.includes(metadata.name) || /^(?:images|proxies)\.config/.test(metadata.name),
    ),
    ...imageAndTemplateCrds,
  ];
  for (const definition of definitions)
    await kube.ensure(resources.customResourceDefinitions, definition, signal);
  for (const { metadata } of definitions)
    for (let live: KubeObject | undefined; conditionStatus(live, "Established") !== "True"; )
      live = await kube.get(resources.customResourceDefinitions, metadata, signal);
  for (const name of [operatorNamespace, contentNamespace, peerNamespace, "openshift-config"])
    await kube.ensure(
      resources.namespaces,
      { apiVersion: "v1", kind: "Namespace", metadata: { name } },
      signal,
    );
}

/** Creates the samples sequentially. Returns the duration in milliseconds. */
async function createEach(kube: KubeClient, samples: readonly KubeObject[]): Promise<number> {
  const resourceOf = ({ kind }: KubeObject) => (kind === templates.kind ? templates : imageStreams);
  const create = (sample: KubeObject) =>
    kube.create(
      resourceOf(sample),
      { ...sample, metadata: { ...sample.metadata, namespace: peerNamespace } },
      signal,
    );
  const began = performance.now();
  for (const sample of samples) await create(sample);
  return performance.now() - began;
}

async function deletedToBack(kube: KubeClient, samples: readonly KubeObject[]): Promise<readonly number[]> {
  const times: number[] = [];
  for (const { kind, metadata } of samples.filter(
    (_, at) => at % Math.ceil(samples.length / deletions) === 0,
  )) {
    const resource = kind === templates.kind ? templates : imageStreams;
    const key: ObjectKey = { namespace: contentNamespace, name: metadata.name };
    await kube.delete(resource, key, signal);
    const began = performance.now();
    while (!(await kube.find(resource, key, signal))) await delay(2);
    times.push(performance.now() - began);
  }
  return times;
}

/** Running operator process. Its log is parsed. */
class OperatorProcess implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly began = performance.now();
  readonly #lines: { readonly time: number; readonly msg: string; readonly kind?: string }[] = [];
  readonly #exited: Promise<unknown>;

  constructor(child: ChildProcess) {
    this.child = child;
    this.#exited = once(child, "exit");
    if (child.stderr)
      createInterface(child.stderr).on("line", (line) => void this.#lines.push(JSON.parse(line)));
  }

  async says(text: string): Promise<void> {
    while (!this.#lines.some(({ msg }) => msg === text)) {
      if (this.child.exitCode !== null) throw new Error(`the operator ended: ${JSON.stringify(this.#lines)}`);
      await delay(20);
    }
  }

  async reports(kube: KubeClient): Promise<void> {
    await this.says("samples operator started");
    for (let live: KubeObject | undefined; conditionStatus(live, "Available") !== "True"; await delay(10))
      live = await kube.find(resources.clusterOperators, { name: clusterOperatorName }, signal);
  }

  /** Milliseconds from the first sample to the last. */
  get installedMs(): number {
    const times = this.#lines
      .filter(({ kind }) => kind === imageStreams.kind || kind === templates.kind)
      .map(({ time }) => new Date(time).getTime());
    return Math.max(...times) - Math.min(...times);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill("SIGTERM");
    await this.#exited;
  }
}
