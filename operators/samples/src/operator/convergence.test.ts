import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { configImages, configKey } from "../resources/resources.ts";
import { ModelledCluster } from "../testing/modelled-cluster.ts";
import {
  type Edit,
  forbiddenRegistry,
  type ModelCatalogue,
  type ModelRelease,
  SamplesModel,
} from "../testing/samples-model.ts";
import { type SamplesWorld, samplesWorlds } from "../testing/samples-world.ts";

/** Number of runs. `make test` has time for only a few runs. Set `KEELSON_SAMPLES_RUNS=500` for a longer test. */
const numRuns = Number(process.env.KEELSON_SAMPLES_RUNS ?? 10);

const image = (name: string) => `registry.redhat.io/ubi9/${name}:latest`;
const initial: ModelCatalogue = {
  streams: {
    ruby: { "3.3": image("ruby-33"), latest: "3.3" },
    nodejs: { "22": `registry.access.redhat.com/ubi9/nodejs-22:latest` },
    jenkins: { "2": "quay.io/openshift/jenkins:2" },
  },
  templates: { rails: "rails", cakephp: "cakephp" },
};
const releases: readonly ModelRelease[] = [
  {
    version: "4.19.1",
    catalogues: {
      x86_64: initial,
      ppc64le: { streams: { ruby: { "3.3": image("ruby-33") } }, templates: {} },
    },
  },
  {
    // This release retires a tag and a template, and adds a tag.
    version: "4.19.2",
    catalogues: {
      x86_64: {
        streams: { ...initial.streams, ruby: { "3.4": image("ruby-34"), latest: "3.4" } },
        templates: { rails: "rails on" },
      },
      ppc64le: { streams: { ruby: { "3.4": image("ruby-34") } }, templates: {} },
    },
  },
];

/**
 * Edits the cluster while the operator runs or while it is stopped. A stopped operator is started again after the edits, possibly
 * with a different release.
 */
class Happening implements fc.AsyncCommand<SamplesModel, ModelledCluster> {
  readonly #edits: readonly Edit[];
  readonly #restart: ModelRelease | undefined;

  constructor(edits: readonly Edit[], restart?: ModelRelease) {
    this.#edits = edits;
    this.#restart = restart;
  }

  check(): boolean {
    return true;
  }

  async run(model: SamplesModel, cluster: ModelledCluster): Promise<void> {
    if (this.#restart) await cluster.stop();
    for (const edit of this.#edits) if (model.apply(edit)) await cluster.apply(edit);
    if (this.#restart) {
      model.release = this.#restart;
      await cluster.start(this.#restart);
    }
    model.settle();
    await cluster.becomes(model);
  }

  toString(): string {
    return `${this.#restart ? `restart as ${this.#restart.version} ` : ""}${JSON.stringify(this.#edits)}`;
  }
}

const streamNames = fc.constantFrom("ruby", "nodejs", "jenkins");
const templateNames = fc.constantFrom("rails", "cakephp");
const samples = fc.oneof(
  fc.record({ of: fc.constant("imagestream" as const), name: streamNames }),
  fc.record({ of: fc.constant("template" as const), name: templateNames }),
);
const specs = fc.record(
  {
    managementState: fc.constantFrom("Managed", "Managed", "Unmanaged", "Removed"),
    samplesRegistry: fc.constantFrom("", "mirror.io:5000/x", forbiddenRegistry),
    architectures: fc.constantFrom(
      ["x86_64"],
      ["x86_64"],
      ["ppc64le"],
      ["amd64"],
      ["bad"],
      ["x86_64", "bad"],
      [],
    ),
    skippedImagestreams: fc.subarray(["ruby", "nodejs", "unknown"]),
    skippedTemplates: fc.subarray(["rails"]),
  },
  { requiredKeys: [] },
);
const edits: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("configure" as const), spec: specs }) },
  { weight: 1, arbitrary: fc.constant({ kind: "delete Config" as const }) },
  { weight: 2, arbitrary: samples.map((sample) => ({ kind: "delete sample" as const, ...sample })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(samples, fc.boolean())
      .map(([sample, stripped]) => ({ kind: "edit sample" as const, ...sample, stripped })),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("add tag" as const), name: streamNames }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("import" as const),
      name: streamNames,
      tags: fc.dictionary(
        fc.constantFrom("3.3", "3.4", "22", "2", "mine"),
        fc.constantFrom("denied", "no such host"),
        {
          maxKeys: 3,
          noNullPrototype: true,
        },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("foreign stream" as const),
      name: fc.constantFrom("cli", "jenkins"),
      managed: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("foreign ConfigMap" as const),
      name: fc.constantFrom("trusted-ca", "nodejs"),
    }),
  },
);
const commands = fc.commands(
  [
    edits.map((edit) => new Happening([edit])),
    edits.map((edit) => new Happening([edit])),
    edits.map((edit) => new Happening([edit])),
    fc
      .tuple(fc.array(edits, { maxLength: 3 }), fc.constantFrom(...releases))
      // The deletion of the Config waits for its finalizer, so the deletion must be the last edit.
      .map(([each, release]) => new Happening(lastDeletion(each), release)),
  ],
  { maxCommands: 12, size: "max" },
);

function lastDeletion(given: readonly Edit[]): readonly Edit[] {
  return given
    .toSorted((a, b) => Number(a.kind === "delete Config") - Number(b.kind === "delete Config"))
    .filter((edit, index, all) => edit.kind !== "delete Config" || index === all.length - 1);
}

for (const { name, start } of samplesWorlds)
  describe(`samples on ${name}`, () => {
    let world: SamplesWorld;
    before(async () => {
      world = await start();
    });
    after(async () => {
      await world[Symbol.asyncDispose]();
    });

    test("converge to the model of the specification after any sequence of events, without further writes", async () => {
      await fc.assert(
        fc.asyncProperty(commands, async (sequence) => {
          await using cluster = new ModelledCluster(world);
          const [first] = releases;
          assert.ok(first);
          const registrySources = { blockedRegistries: [forbiddenRegistry] };
          await world.put(configImages, { metadata: configKey, spec: { registrySources } });
          await cluster.start(first);
          const model = new SamplesModel(first);
          await cluster.becomes(model);
          await fc.asyncModelRun(() => ({ model, real: cluster }), sequence);
          await cluster.rests();
        }),
        { numRuns, endOnFailure: true },
      );
    });
  });
