import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { findCondition, type KubeObject } from "@keelson/kube";
import { defaultConfig } from "../bootstrap/default-config.ts";
import {
  clusterOperatorName,
  clusterOperators,
  configImages,
  configKey,
  configMaps,
  contentNamespace,
  imageStreams,
  managedLabel,
  operatorNamespace,
  samplesConfigs,
  tagMapName,
  templates,
  versionAnnotation,
} from "../resources/resources.ts";
import {
  type CatalogueDirectory,
  catalogueDirectory,
  smallCatalogue,
  streamSample,
} from "../testing/catalogue-directory.ts";
import { type SamplesWorld, samplesWorlds, unreachable } from "../testing/samples-world.ts";

const installed = "True : Samples installation successful at 4.19.1";

for (const { name, start } of samplesWorlds)
  describe(`the samples operator on ${name}`, () => {
    let world: SamplesWorld;
    let catalogue: CatalogueDirectory;
    let content: string;
    before(async () => {
      world = await start();
    });
    beforeEach(async () => {
      await world.reset();
      await catalogue?.[Symbol.asyncDispose]();
      catalogue = await catalogueDirectory({ ...smallCatalogue(), ...smallCatalogue("ppc64le") });
      content = catalogue.directory;
    });
    after(async () => {
      await catalogue?.[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    });
    const available = async (text: string | RegExp) => {
      await world.eventually(async () => {
        const { Available = "" } = await world.operator();
        if (typeof text === "string") assert.equal(Available, text);
        else assert.match(Available, text);
      });
    };
    const condition = (config: KubeObject | undefined, type: string) => findCondition(config, type);
    const tagsOf = async (stream: string) =>
      listAt(await world.sample("imagestream", stream), "spec", "tags").map(
        (tag) => `${stringAt(tag, "name")}=${stringAt(tag, "from", "name")}`,
      );

    test("acceptance 1 and 2: an empty cluster gets a Config, all samples and a status, and a restart writes nothing", async () => {
      {
        await using operator = await world.start({ content });
        await available(installed);
        // Expected writes: the Config, its status, a ConfigMap, five samples, the ClusterOperator and its status.
        assert.ok((await operator.writes()) <= 11, `${await operator.writes()} writes`);
      }
      assert.deepEqual(await world.events(), [
        "SamplesCreated: created ConfigMap/imagestreamtag-to-image",
        "SamplesCreated: created ImageStream/jenkins, ImageStream/nodejs, ImageStream/ruby, Template/cakephp, Template/rails",
      ]);
      const config = await world.config();
      assert.deepEqual(config?.spec, { architectures: ["x86_64"], managementState: "Managed" });
      assert.deepEqual(config?.metadata.finalizers, ["samples.operator.openshift.io/finalizer"]);
      assert.equal(valueAt(config, "status", "version"), "4.19.1");
      assert.deepEqual(
        listAt(config, "status", "conditions").map(
          (each) => `${stringAt(each, "type")} ${stringAt(each, "status")}`,
        ),
        [
          "SamplesExist True",
          "ImageChangesInProgress False",
          "ImportCredentialsExist True",
          "ConfigurationValid True",
          "RemovePending False",
          "MigrationInProgress False",
          "ImportImageErrorsExist False",
        ],
      );
      for (const [kind, sample] of [
        ["imagestream", "ruby"],
        ["imagestream", "nodejs"],
        ["template", "rails"],
      ] as const) {
        const object = await world.sample(kind, sample);
        assert.equal(object?.metadata.labels?.[managedLabel], "true");
        assert.equal(object?.metadata.annotations?.[versionAnnotation], "4.19.1");
      }
      const { Progressing, Degraded } = await world.operator();
      assert.deepEqual(
        [Progressing, Degraded],
        ["False : Samples installation successful at 4.19.1", "False : "],
      );
      const operator = await world.api.get(clusterOperators, { name: clusterOperatorName }, world.signal);
      assert.deepEqual(valueAt(operator, "status", "versions"), [{ name: "operator", version: "4.19.1" }]);
      assert.equal(listAt(operator, "status", "relatedObjects").length, 4);
      await using second = await world.start({ content });
      assert.equal(await second.writes(), 0);
    });

    test("acceptance 3: samples that are initially removed because of an unreachable registry report it, also after a restart", async () => {
      const { metadata, ...config } = defaultConfig("Unreachable", "x86_64");
      await world.put(samplesConfigs, { ...config, metadata });
      await using operator = await world.start({ content, registry: unreachable });
      await available("True TermsBasedRegistryUnreacahable: ");
      await world.eventually(async () =>
        assert.equal((await operator.series("openshift_samples_tbr_inaccessible_info"))[0]?.at(-1), "1"),
      );
      assert.equal(await world.sample("imagestream", "ruby"), undefined);
      const key = { namespace: operatorNamespace, name: tagMapName };
      assert.deepEqual((await world.api.get(configMaps, key, world.signal)).data, {
        nodejs_22: "registry.access.redhat.com/ubi9/nodejs-22:latest",
        "ruby_3.3": "registry.redhat.io/ubi9/ruby-33:latest",
      });
      await world.configure({ managementState: "Managed" });
      await available(installed);
      await world.eventually(async () =>
        assert.equal((await operator.series("openshift_samples_tbr_inaccessible_info"))[0]?.at(-1), "0"),
      );
      await world.configure({ managementState: "Removed" });
      await available(/^True CurrentlyRemoved: /);
    });

    test("acceptance 5: with blocked registries the samples start as removed", async () => {
      const spec = { registrySources: { blockedRegistries: ["registry.redhat.io"] } };
      await world.put(configImages, { metadata: configKey, spec });
      await using _ = await world.start({ content });
      await available(/^True CurrentlyRemoved: /);
      assert.match((await world.operator()).Progressing ?? "", /^False CurrentlyRemoved: /);
      assert.equal(valueAt(await world.config(), "spec", "managementState"), "Removed");
    });

    test("acceptance 6: a Config with Removed is not changed; Managed installs everything", async () => {
      await world.configure({ managementState: "Removed" });
      await using operator = await world.start({ content, registry: unreachable });
      await available(/^True CurrentlyRemoved: /);
      assert.deepEqual(
        Object.values(await world.operator())
          .map((each) => each.split(":")[0])
          .sort(),
        ["False CurrentlyRemoved", "False CurrentlyRemoved", "True CurrentlyRemoved"],
      );
      assert.deepEqual((await world.config())?.spec, { managementState: "Removed" });
      assert.equal(await world.sample("template", "rails"), undefined);
      await world.configure({ managementState: "Managed" });
      await available(installed);
      assert.ok(await world.sample("template", "rails"));
      assert.ok(operator);
    });

    test("acceptance 7 and 8: deleted or edited samples are restored, and tags, labels and annotations of users are preserved", async () => {
      await using _ = await world.start({ content });
      await available(installed);
      const ruby = { namespace: contentNamespace, name: "ruby" };
      await world.api.delete(imageStreams, { namespace: contentNamespace, name: "nodejs" }, world.signal);
      const live = await world.api.get(imageStreams, ruby, world.signal);
      const tags = listAt(live, "spec", "tags").map((tag) =>
        stringAt(tag, "name") === "3.3"
          ? { ...Object(tag), generation: 7, from: { kind: "DockerImage", name: "evil.io/a/b" } }
          : tag,
      );
      const own = { name: "mine", from: { kind: "DockerImage", name: "quay.io/me/ruby:1" } };
      const labels = { [managedLabel]: null, team: "a" };
      await world.api.mergePatch(
        imageStreams,
        ruby,
        { metadata: { labels }, spec: { tags: [own, ...tags] } },
        world.signal,
      );
      const rails = { namespace: contentNamespace, name: "rails" };
      const annotations = { [versionAnnotation]: null, note: "b" };
      await world.api.mergePatch(
        templates,
        rails,
        { metadata: { annotations }, parameters: [] },
        world.signal,
      );
      await world.eventually(async () => {
        assert.ok(await world.sample("imagestream", "nodejs"));
        assert.deepEqual(await tagsOf("ruby"), [
          "mine=quay.io/me/ruby:1",
          "3.3=registry.redhat.io/ubi9/ruby-33:latest",
          "latest=3.3",
        ]);
        const stream = await world.sample("imagestream", "ruby");
        assert.deepEqual(stream?.metadata.labels, { [managedLabel]: "true", team: "a" });
        assert.equal(
          valueAt(listAt(stream, "spec", "tags")[1], "generation"),
          3,
          "the edit and the repair each change the source",
        );
        const template = await world.sample("template", "rails");
        assert.equal(template?.metadata.annotations?.[versionAnnotation], "4.19.1");
        assert.equal(template?.metadata.annotations?.note, "b");
        assert.equal(listAt(template, "parameters").length, 1);
      });
    });

    test("acceptance 9 and 15: Removed deletes managed samples and allows a different architecture", async () => {
      await using _ = await world.start({ content });
      await available(installed);
      await world.configure({ skippedImagestreams: ["jenkins"] });
      await world.eventually(async () =>
        assert.equal(
          (await world.sample("imagestream", "jenkins"))?.metadata.labels?.[managedLabel],
          "false",
        ),
      );
      const foreign = { namespace: operatorNamespace, name: "kube-root-ca.crt" };
      await world.put(configMaps, { metadata: foreign, data: { "ca.crt": "x" } });
      await world.put(imageStreams, {
        metadata: { namespace: contentNamespace, name: "cli" },
        spec: { tags: [] },
      });
      const created = (await world.config())?.metadata.creationTimestamp;
      await world.configure({ managementState: "Removed" });
      await available(/^True CurrentlyRemoved: /);
      assert.equal(await world.sample("imagestream", "ruby"), undefined);
      assert.equal(await world.sample("template", "rails"), undefined);
      assert.ok(await world.sample("imagestream", "jenkins"));
      assert.ok(await world.sample("imagestream", "cli"));
      assert.ok(await world.api.find(configMaps, foreign, world.signal));
      assert.ok(
        await world.api.find(configMaps, { namespace: operatorNamespace, name: tagMapName }, world.signal),
      );
      const config = await world.config();
      assert.equal(config?.metadata.creationTimestamp, created);
      assert.deepEqual(
        [
          stringAt(condition(config, "SamplesExist"), "status"),
          stringAt(condition(config, "RemovePending"), "status"),
        ],
        ["False", "False"],
      );
      assert.deepEqual(valueAt(config, "status", "architectures"), []);
      await world.configure({ architectures: ["ppc64le"], managementState: "Managed" });
      await available(installed);
      assert.deepEqual(valueAt(await world.config(), "status", "architectures"), ["ppc64le"]);
    });

    test("acceptance 10: while Unmanaged nothing is repaired, and a new release still moves the version", async () => {
      {
        await using _ = await world.start({ content });
        await available(installed);
        await world.configure({ managementState: "Unmanaged" });
        await available(/^True CurrentlyUnmanaged: /);
        await world.api.delete(imageStreams, { namespace: contentNamespace, name: "ruby" }, world.signal);
      }
      await using _ = await world.start({ content, release: "4.19.2" });
      await world.eventually(async () =>
        assert.equal(valueAt(await world.config(), "status", "version"), "4.19.2"),
      );
      assert.equal(await world.sample("imagestream", "ruby"), undefined);
      assert.equal(
        (await world.sample("template", "rails"))?.metadata.annotations?.[versionAnnotation],
        "4.19.1",
      );
      await world.configure({ managementState: "Managed" });
      await world.eventually(async () => {
        assert.ok(await world.sample("imagestream", "ruby"));
        assert.equal(
          (await world.sample("template", "rails"))?.metadata.annotations?.[versionAnnotation],
          "4.19.2",
        );
      });
    });

    test("acceptance 11: deleting the Config deletes its samples and creates a default one, three times", async () => {
      await using _ = await world.start({ content });
      await world.configure({ samplesRegistry: "mirror.io" });
      await world.eventually(async () =>
        assert.ok((await tagsOf("ruby")).includes("3.3=mirror.io/ubi9/ruby-33:latest")),
      );
      for (let round = 0; round < 3; round++) {
        const before = await world.eventually(async () => {
          const config = await world.config();
          assert.ok(
            config &&
              config.metadata.deletionTimestamp === undefined &&
              (await world.sample("template", "rails")),
          );
          return config;
        });
        await world.api.delete(samplesConfigs, configKey, world.signal);
        await world.eventually(async () => {
          const config = await world.config();
          assert.ok(config);
          assert.notEqual(config.metadata.uid, before.metadata.uid);
          assert.deepEqual(config.spec, { architectures: ["x86_64"], managementState: "Managed" });
        });
      }
      await available(installed);
      assert.ok((await tagsOf("ruby")).includes("3.3=registry.redhat.io/ubi9/ruby-33:latest"));
    });

    test("acceptance 12: a skipped imagestream is released and managed again later", async () => {
      await using operator = await world.start({ content });
      await available(installed);
      await world.configure({ skippedImagestreams: ["jenkins"] });
      await world.eventually(async () =>
        assert.deepEqual(valueAt(await world.config(), "status", "skippedImagestreams"), ["jenkins"]),
      );
      assert.equal((await world.sample("imagestream", "jenkins"))?.metadata.labels?.[managedLabel], "false");
      await world.api.delete(imageStreams, { namespace: contentNamespace, name: "jenkins" }, world.signal);
      // The first deletion was already processed. The second deletion must also be repaired.
      await world.api.delete(imageStreams, { namespace: contentNamespace, name: "nodejs" }, world.signal);
      await world.eventually(async () => assert.ok(await world.sample("imagestream", "nodejs")));
      assert.equal(await world.sample("imagestream", "jenkins"), undefined);
      const lines = await operator.series("openshift_samples_failed_imagestream_import_info");
      assert.ok(lines.includes('openshift_samples_failed_imagestream_import_info{name="jenkins"} 0'));
      await world.api.mergePatch(
        samplesConfigs,
        configKey,
        { spec: { skippedImagestreams: null } },
        world.signal,
      );
      await world.eventually(async () =>
        assert.equal((await world.sample("imagestream", "jenkins"))?.metadata.labels?.[managedLabel], "true"),
      );
    });

    test("acceptance 13: a different registry replaces only the catalogue's registry in images", async () => {
      await using _ = await world.start({ content });
      await available(installed);
      await world.configure({ samplesRegistry: "mirror:5000/x" });
      await world.eventually(async () =>
        assert.deepEqual(await tagsOf("ruby"), ["3.3=mirror:5000/x/ubi9/ruby-33:latest", "latest=3.3"]),
      );
      const map = await world.api.get(
        configMaps,
        { namespace: operatorNamespace, name: tagMapName },
        world.signal,
      );
      assert.equal(valueAt(map, "data", "ruby_3.3"), "registry.redhat.io/ubi9/ruby-33:latest");
      await world.configure({ samplesRegistry: "" });
      await world.eventually(async () =>
        assert.deepEqual(await tagsOf("ruby"), ["3.3=registry.redhat.io/ubi9/ruby-33:latest", "latest=3.3"]),
      );
    });

    test("a changed source gets a new generation from the server, in one write without a failure", async () => {
      await using operator = await world.start({ content });
      await available(installed);
      const generationsOf = async (stream: string) =>
        listAt(await world.sample("imagestream", stream), "spec", "tags").map((tag) =>
          valueAt(tag, "generation"),
        );
      assert.deepEqual(await generationsOf("ruby"), [1, 1]);
      await operator.idle();
      const before = await operator.writes();
      await world.configure({ samplesRegistry: "mirror:5000/x" });
      await world.eventually(async () =>
        assert.equal(valueAt(await world.config(), "status", "samplesRegistry"), "mirror:5000/x"),
      );
      await operator.idle();
      assert.deepEqual(await generationsOf("ruby"), [2, 1]);
      // Expected writes: three imagestreams and the status of the Config.
      assert.equal((await operator.writes()) - before, 4);
      const events = await world.events();
      assert.deepEqual(
        events.filter((each) => !each.startsWith("SamplesCreated: ")),
        [
          "SamplesUpdated: updated ImageStream/jenkins (spec.tags), ImageStream/nodejs (spec.tags), ImageStream/ruby (spec.tags)",
        ],
      );
      assert.equal((await world.operator()).Available, installed);
    });

    test("acceptance 14 and 16: a different architecture is rejected, existing samples are still repaired, and the previous one recovers", async () => {
      await using _ = await world.start({ content });
      await available(installed);
      await world.configure({ architectures: ["ppc64le"] });
      await world.eventually(async () =>
        assert.deepEqual(await world.operator(), {
          Available: installed,
          Progressing: "True : Samples installation in error at 4.19.1: InvalidConfiguration",
          Degraded:
            "True InvalidConfiguration: Samples installation in error at 4.19.1: cannot change architectures from x86_64 to ppc64le",
        }),
      );
      await world.api.delete(imageStreams, { namespace: contentNamespace, name: "ruby" }, world.signal);
      await world.eventually(async () => assert.ok(await world.sample("imagestream", "ruby")));
      assert.equal(stringAt(condition(await world.config(), "ConfigurationValid"), "status"), "False");
      await world.configure({ architectures: ["bad"] });
      await available("True UnsupportHWArchitecture: ");
      assert.match((await world.operator()).Degraded ?? "", /^False UnsupportHWArchitecture/);
      await world.configure({ architectures: ["x86_64"] });
      await world.eventually(async () => assert.equal((await world.operator()).Degraded, "False : "));
    });

    test("a registry that the cluster blocks is rejected with the original's message", async () => {
      await world.put(configImages, {
        metadata: configKey,
        spec: { registrySources: { blockedRegistries: ["mirror.example.com"] } },
      });
      await using _ = await world.start({ content });
      await available(installed);
      await world.configure({ samplesRegistry: "mirror.example.com/x" });
      await world.eventually(async () =>
        assert.match(
          (await world.operator()).Degraded ?? "",
          /^True InvalidConfiguration: .*global openshift image configuration prevents the creation of imagestreams using the registry mirror\.example\.com\/x$/,
        ),
      );
      assert.ok((await tagsOf("ruby")).includes("3.3=registry.redhat.io/ubi9/ruby-33:latest"));
    });

    test("from Removed to Managed with a registry that the cluster forbids nothing is installed until it is allowed", async () => {
      const registrySources = { blockedRegistries: ["mirror.example.com"] };
      await world.put(configImages, { metadata: configKey, spec: { registrySources } });
      await world.configure({ managementState: "Removed" });
      await using operator = await world.start({ content });
      await available(/^True CurrentlyRemoved: /);
      await world.configure({ managementState: "Managed", samplesRegistry: "mirror.example.com" });
      await world.eventually(async () => {
        const valid = condition(await world.config(), "ConfigurationValid");
        assert.equal(stringAt(valid, "status"), "False");
        assert.match(stringAt(valid, "message") ?? "", /^global openshift image configuration prevents /);
      });
      await operator.idle();
      assert.equal(await world.sample("imagestream", "ruby"), undefined);
      assert.equal(await world.sample("template", "rails"), undefined);
      assert.equal(stringAt(await world.config(), "status", "managementState"), "Removed");
      await available(/^True CurrentlyRemoved: /);
      await world.put(configImages, {
        metadata: configKey,
        spec: { registrySources: { blockedRegistries: [] } },
      });
      await available(installed);
      assert.ok((await tagsOf("ruby")).includes("3.3=mirror.example.com/ubi9/ruby-33:latest"));
    });

    test("acceptance 17 to 19: failing imports have a ConfigMap each as long as they fail, and are tried again", async () => {
      await using operator = await world.start({ content });
      await available(installed);
      await world.imported("ruby", { "3.3": "you may not have access", latest: undefined, retired: "gone" });
      await world.imported("nodejs", { "22": "no such host" });
      const found = (stream: string) =>
        world.api.find(configMaps, { namespace: operatorNamespace, name: stream }, world.signal);
      await world.eventually(async () => {
        const { Progressing = "", Degraded } = await world.operator();
        assert.match(
          Progressing,
          /^False FailedImageImports: Samples installed at 4\.19\.1, with image import failures for these imagestreams: nodejs,ruby; last import attempt \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC$/,
        );
        assert.equal(Degraded, "False : ");
      });
      const map = await found("ruby");
      assert.deepEqual(map?.data, { "3.3": "you may not have access" });
      assert.deepEqual(map?.metadata.labels, { "samples.openshift.io/imagestream-error": "true" });
      await world.eventually(async () =>
        assert.deepEqual(
          (await operator.series("openshift_samples_retry_imagestream_import_total")).toSorted(),
          [
            'openshift_samples_retry_imagestream_import_total{imagestreamname="nodejs"} 1',
            'openshift_samples_retry_imagestream_import_total{imagestreamname="ruby"} 1',
          ],
        ),
      );
      const request = operator.imports.find(({ metadata }) => metadata.name === "ruby");
      assert.ok(request?.metadata.resourceVersion);
      assert.deepEqual(request.spec, {
        import: true,
        images: [
          {
            from: { kind: "DockerImage", name: "registry.redhat.io/ubi9/ruby-33:latest" },
            to: { name: "3.3" },
            importPolicy: {},
            referencePolicy: { type: "Local" },
          },
        ],
      });
      await world.imported("ruby", { "3.3": undefined });
      await world.eventually(async () => assert.equal(await found("ruby"), undefined));
      assert.equal(stringAt(condition(await world.config(), "ImportImageErrorsExist"), "status"), "True");
      await world.configure({ skippedImagestreams: ["nodejs"] });
      await world.eventually(async () => {
        assert.equal(await found("nodejs"), undefined);
        assert.equal(
          (await world.operator()).Progressing,
          "False : Samples installation successful at 4.19.1",
        );
      });
    });

    test("acceptance 20: a new release updates every sample, and retired tags and samples stay without an alert", async () => {
      const jenkins = { namespace: operatorNamespace, name: "jenkins" };
      {
        await using _ = await world.start({ content });
        await available(installed);
        await world.imported("jenkins", { "2": "gone" });
        await world.eventually(async () =>
          assert.ok(await world.api.find(configMaps, jenkins, world.signal)),
        );
      }
      await catalogue.write("x86_64/jenkins", undefined);
      await catalogue.write(
        "x86_64/ruby/imagestreams/ruby.json",
        streamSample("ruby", { "3.4": "registry.redhat.io/ubi9/ruby-34:latest" }),
      );
      await catalogue.write("x86_64/cake", undefined);
      await world.imported("ruby", { "3.3": "gone" });
      await using operator = await world.start({ content, release: "4.19.2" });
      await available("True : Samples installation successful at 4.19.2");
      assert.deepEqual(await tagsOf("ruby"), [
        "3.3=registry.redhat.io/ubi9/ruby-33:latest",
        "latest=3.3",
        "3.4=registry.redhat.io/ubi9/ruby-34:latest",
      ]);
      assert.equal(
        (await world.sample("template", "rails"))?.metadata.annotations?.[versionAnnotation],
        "4.19.2",
      );
      assert.equal(
        (await world.sample("template", "cakephp"))?.metadata.annotations?.[versionAnnotation],
        "4.19.1",
      );
      assert.equal((await world.operator()).Progressing, "False : Samples installation successful at 4.19.2");
      assert.ok(await world.sample("imagestream", "jenkins"));
      assert.equal(await world.api.find(configMaps, jenkins, world.signal), undefined);
      assert.ok(
        (await operator.series("openshift_samples_failed_imagestream_import_info")).every((line) =>
          /\{name="(?:ruby|nodejs)"\} 0$/.test(line),
        ),
      );
    });

    test("acceptance 23: overwritten or deleted conditions are restored", async () => {
      await using _ = await world.start({ content });
      await available(installed);
      const key = { name: clusterOperatorName };
      const wrong = [
        { type: "Available", status: "False", reason: "Mine", lastTransitionTime: "2020-01-01T00:00:00Z" },
      ];
      await world.api.mergePatch(
        clusterOperators,
        key,
        { status: { conditions: wrong } },
        world.signal,
        "status",
      );
      await world.eventually(async () => assert.equal(Object.keys(await world.operator()).length, 3));
      await available(installed);
      await world.api.delete(clusterOperators, key, world.signal);
      await available(installed);
    });

    test("acceptance 26: unreadable content is reported, and samples are preserved", async () => {
      {
        await using _ = await world.start({ content });
        await available(installed);
      }
      await catalogue.write("x86_64", undefined);
      {
        await using _ = await world
          .start({ content })
          .catch(() => Promise.reject(new Error("it did not start")));
        await available(
          /^False SampleUpsertsPending: error reading in content : the catalogue .* cannot be read/,
        );
        assert.match(
          (await world.operator()).Degraded ?? "",
          /^True FileSystemError: error reading in content/,
        );
        assert.ok(await world.sample("imagestream", "ruby"));
        for (const [path, value] of Object.entries(smallCatalogue())) await catalogue.write(path, value);
        await available(installed);
      }
    });

    test("a bad file of the catalogue is named, the rest is installed", async () => {
      await catalogue.write("x86_64/bad/imagestreams/bad.json", "{");
      await using _ = await world.start({ content });
      await available(installed);
      assert.match(
        stringAt(condition(await world.config(), "SamplesExist"), "message") ?? "",
        /^1 files of the catalogue are left out: bad\/imagestreams\/bad\.json: no JSON/,
      );
    });

    test("acceptance 22: missing credentials are measured, unless a different registry is in use or samples are removed", async () => {
      await using operator = await world.start({ content });
      await available(installed);
      const measured = async (value: string) =>
        world.eventually(async () =>
          assert.ok(
            (await operator.series("openshift_samples_invalidsecret_info")).includes(
              `openshift_samples_invalidsecret_info{reason="missing_tbr_credential"} ${value}`,
            ),
          ),
        );
      await measured("1");
      await world.configure({ samplesRegistry: "mirror.io" });
      await measured("0");
      await world.configure({ samplesRegistry: "" });
      await measured("1");
      await world.configure({ managementState: "Removed" });
      await measured("0");
      assert.deepEqual(
        (await operator.series("openshift_samples_invalidconfig_info")).map((line) => line.at(-1)),
        ["0"],
      );
    });

    test("the server's defaults of fields that are empty in the catalogue are preserved", async () => {
      const ruby = streamSample("ruby", { "3.3": "registry.redhat.io/ubi9/ruby-33:latest" });
      const [tag] = listAt(ruby, "spec", "tags");
      const empty = { ...Object(tag), referencePolicy: { type: "" } };
      await catalogue.write("x86_64/ruby/imagestreams/ruby.json", { ...ruby, spec: { tags: [empty] } });
      await using _ = await world.start({ content });
      await available(installed);
      const written = listAt(await world.sample("imagestream", "ruby"), "spec", "tags")[0];
      assert.deepEqual(valueAt(written, "referencePolicy"), {});
    });

    test("acceptance 21 and 27: streams outside the catalogue and other Configs are not changed", async () => {
      await world.put(imageStreams, {
        metadata: { namespace: contentNamespace, name: "cli" },
        spec: { tags: [{ name: "latest", from: { kind: "DockerImage", name: "quay.io/a/cli" } }] },
      });
      await world.put(samplesConfigs, { metadata: { name: "foo" }, spec: { managementState: "Removed" } });
      const before = await world.sample("imagestream", "cli");
      await using _ = await world.start({ content });
      await available(installed);
      assert.equal(
        (await world.sample("imagestream", "cli"))?.metadata.resourceVersion,
        before?.metadata.resourceVersion,
      );
      assert.equal((await world.api.get(samplesConfigs, { name: "foo" }, world.signal)).status, undefined);
    });

    test("acceptance 24: a Config rejects Helm charts without valid names and accepts an empty spec", async () => {
      await assert.rejects(world.configure({ skippedHelmCharts: ["foo.-bar.baz"] }), (error) => {
        assert.match(
          String(error),
          /skippedHelmCharts must be a valid Kubernetes resource name\. May contain only/,
        );
        return true;
      });
      await assert.rejects(world.configure({ managementState: "Sometimes" }), /spec\.managementState/);
      await world.configure({});
      assert.deepEqual((await world.config())?.spec, {});
      await world.configure({ skippedHelmCharts: ["foo.bar-baz"] });
    });
  });
