/**
 * Installs a complete catalogue in a cluster. Default: the operator's catalogue. A different catalogue for one architecture can
 * be set:
 *
 *     KEELSON_SAMPLES_CONTENT=DIRECTORY node --test operators/samples/src/operator/whole-catalogue.test.ts
 *
 * With KUBEBUILDER_ASSETS, the test also uses kube-apiserver.
 */

import assert from "node:assert/strict";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { listAt, stringAt } from "@keelson/base";
import { readCatalogue } from "../content/load-catalogue.ts";
import { shippedCatalogues } from "../content/shipped-catalogues.ts";
import { contentNamespace, imageStreams, managedLabel, templates } from "../resources/resources.ts";
import { type SamplesWorld, samplesWorlds } from "../testing/samples-world.ts";

const directory = process.env.KEELSON_SAMPLES_CONTENT ?? join(shippedCatalogues, "x86_64");
const limitMs = 10_000;
const microsecondsInMs = 1_000;

for (const { name, start } of samplesWorlds)
  describe(`a complete catalogue on ${name}`, () => {
    let world: SamplesWorld;
    let content: string;
    before(async () => {
      world = await start();
      content = await mkdtemp(join(tmpdir(), "content-"));
      await symlink(directory, join(content, "x86_64"));
    });
    after(async () => {
      await world[Symbol.asyncDispose]();
      await rm(content, { recursive: true });
    });

    test("is installed in ten seconds of CPU time, each object once, and a restart writes nothing", async (t) => {
      const catalogue = await readCatalogue(directory, world.signal);
      assert.deepEqual(
        catalogue.problems.filter(({ severity }) => severity === "error"),
        [],
      );
      const began = process.cpuUsage();
      {
        await using operator = await world.start({ content });
        await world.eventually(async () => assert.match((await world.operator()).Available ?? "", /^True/));
        const { user, system } = process.cpuUsage(began);
        const tookMs = (user + system) / microsecondsInMs;
        await operator.idle();
        const writes = await operator.writes();
        const samples = catalogue.imageStreams.size + catalogue.templates.size;
        t.diagnostic(`${samples} samples, ${writes} writes, Available after ${Math.round(tookMs)} ms`);
        assert.ok(tookMs < limitMs, `${tookMs} ms`);
        // Besides the samples, the operator writes the Config, the ConfigMap with the list of images, the ClusterOperator, and
        // the statuses of Config and ClusterOperator.
        assert.ok(writes <= samples + 8, `${writes} writes for ${samples} samples`);
      }
      for (const [resource, samples] of [
        [imageStreams, catalogue.imageStreams],
        [templates, catalogue.templates],
      ] as const) {
        const { items } = await world.api.list(resource, { namespace: contentNamespace }, world.signal);
        assert.deepEqual(items.map(({ metadata }) => metadata.name).sort(), [...samples.keys()].sort());
        for (const { metadata } of items) assert.equal(metadata.labels?.[managedLabel], "true");
        for (const live of items)
          assert.deepEqual(
            listAt(live, "spec", "tags").map((tag) => stringAt(tag, "from", "name")),
            listAt(samples.get(live.metadata.name), "spec", "tags").map((tag) =>
              stringAt(tag, "from", "name"),
            ),
          );
      }
      await using second = await world.start({ content });
      await world.eventually(async () =>
        assert.notDeepEqual(await second.series("openshift_samples_failed_imagestream_import_info"), []),
      );
      await second.idle();
      assert.equal(await second.writes(), 0);
    });
  });
