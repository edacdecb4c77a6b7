import assert from "node:assert/strict";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import type { KubeObject } from "@keelson/kube";
import {
  configKey,
  configMaps,
  contentNamespace,
  imageStreams,
  managedLabel,
  operatorNamespace,
  samplesConfigs,
  templates,
  versionAnnotation,
} from "../resources/resources.ts";
import {
  type CatalogueDirectory,
  catalogueDirectory,
  streamSample,
  templateSample,
} from "./catalogue-directory.ts";
import {
  type Edit,
  editedSource,
  foreignData,
  type ModelRelease,
  type SampleKind,
  type SamplesModel,
} from "./samples-model.ts";
import type { RunningOperator, SamplesWorld } from "./samples-world.ts";

/** Cluster with a samples operator that can be restarted and upgraded. */
export class ModelledCluster implements AsyncDisposable {
  readonly world: SamplesWorld;
  #content: CatalogueDirectory | undefined;
  #operator: RunningOperator | undefined;

  constructor(world: SamplesWorld) {
    this.world = world;
  }

  async start(release: ModelRelease): Promise<void> {
    this.#content = await catalogueDirectory(filesOf(release));
    const content = this.#content.directory;
    this.#operator = await this.world.start({ content, release: release.version });
  }

  async stop(): Promise<void> {
    await this.#operator?.[Symbol.asyncDispose]();
    await this.#content?.[Symbol.asyncDispose]();
    this.#operator = this.#content = undefined;
  }

  async apply(edit: Edit): Promise<void> {
    const { api, signal } = this.world;
    const keyOf = (name: string) => ({ namespace: contentNamespace, name });
    switch (edit.kind) {
      case "configure":
        return this.world.configure(edit.spec);
      case "delete Config":
        return api.delete(samplesConfigs, configKey, signal);
      case "delete sample":
        return api.delete(edit.of === "template" ? templates : imageStreams, keyOf(edit.name), signal);
      case "edit sample": {
        const live = await this.world.sample(edit.of, edit.name);
        const content = listAt(live, ...contentOf(edit.of));
        const [first] = content.map((each) => stringAt(each, "name") ?? "").sort();
        const from = { kind: "DockerImage", name: editedSource };
        const edited = content.map((each) =>
          stringAt(each, "name") === first ? { ...Object(each), from, value: editedSource } : each,
        );
        const changed = edit.of === "template" ? { parameters: edited } : { spec: { tags: edited } };
        const metadata = edit.stripped
          ? { labels: { [managedLabel]: null }, annotations: { [versionAnnotation]: null } }
          : {};
        const resource = edit.of === "template" ? templates : imageStreams;
        await api.mergePatch(resource, keyOf(edit.name), { metadata, ...changed }, signal);
        return;
      }
      case "add tag": {
        const tags = listAt(await this.world.sample("imagestream", edit.name), "spec", "tags");
        const own = { name: "mine", from: { kind: "DockerImage", name: "quay.io/me/mine:1" } };
        if (tags.some((tag) => stringAt(tag, "name") === "mine")) return;
        await api.mergePatch(imageStreams, keyOf(edit.name), { spec: { tags: [own, ...tags] } }, signal);
        return;
      }
      case "import":
        return this.world.imported(edit.name, edit.tags);
      case "foreign stream": {
        const labels = edit.managed ? { [managedLabel]: "true" } : {};
        const tags = [{ name: "latest", from: { kind: "DockerImage", name: "quay.io/a/foreign:1" } }];
        await this.world.put(imageStreams, { metadata: { ...keyOf(edit.name), labels }, spec: { tags } });
        return;
      }
      case "foreign ConfigMap": {
        const metadata = { namespace: operatorNamespace, name: edit.name };
        await this.world.put(configMaps, { metadata, data: foreignData });
        return;
      }
    }
  }

  async becomes(model: SamplesModel): Promise<void> {
    const expected = expectedOf(model);
    await eventually(async () => assert.deepEqual(await this.#observed(), expected));
  }

  /** Verifies that a repeated reconcile writes nothing. */
  async rests(): Promise<void> {
    await this.#reconciledAgain();
    const writes = await this.#operator?.writes();
    await this.#reconciledAgain();
    assert.equal(await this.#operator?.writes(), writes, "it writes although nothing changes");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.world.reset();
  }

  /** Makes a change that is irrelevant for the samples. The change triggers a complete reconcile. */
  async #reconciledAgain(): Promise<void> {
    for (let time = 0; time < 2; time++) {
      const count = await this.#reconciles();
      const metadata = { namespace: operatorNamespace, name: marker, labels: { [marker]: `${count}` } };
      await this.world.put(configMaps, { metadata });
      await eventually(async () => assert.ok((await this.#reconciles()) > count));
    }
  }

  async #reconciles(): Promise<number> {
    const lines = (await this.#operator?.series("controller_runtime_reconcile_total")) ?? [];
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
  }

  async #observed() {
    const { api, signal } = this.world;
    const config = await this.world.config();
    const list = async (resource: typeof configMaps, namespace: string) =>
      (await api.list(resource, { namespace }, signal)).items;
    const conditions = Object.entries(await this.world.operator()).map(([type, text]) => [
      type,
      text.slice(0, text.indexOf(":")),
    ]);
    return {
      imagestream: (await list(imageStreams, contentNamespace)).map(sampleText("imagestream")).sort(),
      template: (await list(templates, contentNamespace)).map(sampleText("template")).sort(),
      configMaps: Object.fromEntries(
        (await list(configMaps, operatorNamespace))
          .filter(({ metadata }) => metadata.name !== marker && metadata.name !== "kube-root-ca.crt")
          .map((each) => [each.metadata.name, valueAt(each, "data")]),
      ),
      version: stringAt(config, "status", "version") ?? "",
      isDeleted: config?.metadata.deletionTimestamp !== undefined,
      conditions: Object.fromEntries(conditions),
    };
  }
}

const marker = "marker";

function contentOf(of: SampleKind): readonly string[] {
  return of === "template" ? ["parameters"] : ["spec", "tags"];
}

function sampleText(of: SampleKind) {
  return (object: KubeObject) => {
    const content = listAt(object, ...contentOf(of)).map((each) =>
      of === "template"
        ? ["value", stringAt(each, "value") ?? ""]
        : [stringAt(each, "name") ?? "", stringAt(each, "from", "name") ?? ""],
    );
    const { name, labels, annotations } = object.metadata;
    return describeSample(name, labels?.[managedLabel], annotations?.[versionAnnotation], content);
  };
}

function describeSample(
  name: string,
  managed: string | undefined,
  version: string | undefined,
  content: readonly (readonly string[])[],
): string {
  const parts = content.map(([key, value]) => `${key}=${value}`).sort();
  return `${name} managed=${managed} version=${version} ${parts.join(" ")}`;
}

function expectedOf(model: SamplesModel) {
  const texts = (of: SampleKind) =>
    [...model.samples[of]]
      .map(([name, { managed, version, content }]) =>
        describeSample(name, managed, version, Object.entries(content)),
      )
      .sort();
  return {
    imagestream: texts("imagestream"),
    template: texts("template"),
    configMaps: Object.fromEntries(model.configMaps),
    version: model.version,
    isDeleted: false,
    conditions: model.conditions,
  };
}

function filesOf({ catalogues }: ModelRelease): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(catalogues).flatMap(([architecture, { streams, templates }]) => [
      ...Object.entries(streams).map(([name, tags]) => [
        `${architecture}/imagestreams/${name}.json`,
        streamSample(name, tags),
      ]),
      ...Object.entries(templates).map(([name, value]) => [
        `${architecture}/templates/${name}.json`,
        templateSample(name, value),
      ]),
    ]),
  );
}
