import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { isCoded } from "@keelson/base";
import { type ContentLimits, contentLimits } from "./content-files.ts";
import { loadCatalogue } from "./load-catalogue.ts";

const { signal } = new AbortController();

function stream(name: unknown, tags: unknown = [dockerTag("1")], more: object = {}): object {
  return { kind: "ImageStream", apiVersion: "v1", metadata: { name }, spec: { tags, ...more } };
}

function dockerTag(name: unknown, image: unknown = "quay.io/team/app:1"): object {
  return { name, from: { kind: "DockerImage", name: image } };
}

function tagOf(name: string, meant: string): object {
  return { name, from: { kind: "ImageStreamTag", name: meant } };
}

function template(name: unknown, more: object = {}): object {
  const objects = [{ apiVersion: "v1", kind: "Service", metadata: { name: "app" } }];
  return { kind: "Template", apiVersion: "template.openshift.io/v1", metadata: { name }, objects, ...more };
}

/** Creates a directory with an x86_64 catalogue that contains the given files. Values other than strings are written as JSON. */
async function catalogueDirectory(
  files: Readonly<Record<string, unknown>>,
): Promise<{ readonly directory: string } & AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), "catalogue-"));
  for (const [path, value] of Object.entries(files)) {
    const file = join(directory, "x86_64", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof value === "string" ? value : JSON.stringify(value));
  }
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

async function load(files: Readonly<Record<string, unknown>>, limits: ContentLimits = contentLimits) {
  await using made = await catalogueDirectory(files);
  return await loadCatalogue(made.directory, "x86_64", signal, limits);
}

test("the directory determines the kind of a file, and the file's object its name", async () => {
  const { imageStreams, templates, problems } = await load({
    "ruby/imagestreams/ruby-rhel.json": stream("ruby"),
    "ruby/templates/deep/er/templates/x.json": template("rails"),
    "other-templates/y.json": template("other"),
    "imagestreams/top.json": stream("top"),
    "ruby/README.json": "no JSON",
    "ruby/imagestreams/README.md": "no JSON",
    "docs/imagestreams.json": "no JSON",
  });
  assert.deepEqual([...imageStreams.keys()], ["top", "ruby"]);
  assert.deepEqual([...templates.keys()], ["other", "rails"]);
  assert.deepEqual(problems, []);
});

test("each architecture name maps to a directory, and unknown ones to none", async () => {
  await using made = await catalogueDirectory({ "a/imagestreams/a.json": stream("a") });
  for (const architecture of ["x86_64", "amd64"])
    assert.equal((await loadCatalogue(made.directory, architecture, signal)).imageStreams.size, 1);
  for (const architecture of ["arm64", "sparc", "__proto__", "../x86_64"])
    await assert.rejects(loadCatalogue(made.directory, architecture, signal), (error) =>
      isCoded(error, "ContentUnreadable"),
    );
});

test("keeps only known non-null fields, with the API's version", async () => {
  const { imageStreams, templates, problems } = await load({
    "a/imagestreams/a.json": {
      kind: "ImageStream",
      apiVersion: "v1",
      metadata: { name: "a", creationTimestamp: null, namespace: "elsewhere", labels: null, uid: "1" },
      spec: { lookupPolicy: { local: false }, tags: [{ ...dockerTag("1"), generation: null, odd: 1 }] },
      status: { dockerImageRepository: "" },
    },
    "a/templates/a.json": template("t", {
      labels: { app: "x" },
      objects: [{ apiVersion: "v1", kind: "Secret", metadata: { name: "s", creationTimestamp: null } }],
    }),
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(imageStreams.get("a"), {
    apiVersion: "image.openshift.io/v1",
    kind: "ImageStream",
    metadata: { name: "a" },
    spec: { lookupPolicy: { local: false }, tags: [dockerTag("1")] },
  });
  assert.deepEqual(templates.get("t"), {
    apiVersion: "template.openshift.io/v1",
    kind: "Template",
    metadata: { name: "t" },
    labels: { app: "x" },
    objects: [{ apiVersion: "v1", kind: "Secret", metadata: { name: "s", creationTimestamp: null } }],
  });
});

const nested = (levels: number) => `{"kind":"Template","x":${"[".repeat(levels)}${"]".repeat(levels)}}`;

const badStreams: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  "no JSON": ["{", /^no JSON: /],
  "an empty file": ["", /^no JSON: /],
  "no object": ["[]", /^no object$/],
  null: ["null", /^no object$/],
  "a value of many levels": [nested(100_000), /^nested deeper than 64$/],
  "another kind": [template("x"), /^kind: /],
  "a list": [{ kind: "List", items: [stream("x")] }, /^kind: /],
  "no name": [{ kind: "ImageStream", metadata: {}, spec: {} }, /^metadata: .*name/],
  "a name that is a number": [stream(7), /^metadata\.name: must be string$/],
  "a name of capitals": [stream("Ruby"), /^metadata\.name: "Ruby" names no imagestream$/],
  "a name that is a path": [stream("../x"), /^metadata\.name: /],
  "tags that are no list": [stream("x", { a: 1 }), /^spec\.tags: must be array$/],
  "a tag that is a text": [stream("x", ["1"]), /^spec\.tags\[0\]: must be object$/],
  "a tag without a source": [stream("x", [{ name: "1" }]), /^spec\.tags\[0\]: .*from/],
  "a tag with a source of another kind": [
    stream("x", [{ name: "1", from: { kind: "Pod", name: "x" } }]),
    /^spec\.tags\[0\]\.from\.kind: /,
  ],
  "a tag twice": [
    stream("x", [dockerTag("1"), dockerTag("1")]),
    /^spec\.tags\[1\]\.name: "1" is there twice$/,
  ],
  "a tag with a slash": [stream("x", [dockerTag("1/2")]), /^spec\.tags\[0\]\.name: "1\/2" names no tag$/],
  "no image": [stream("x", [dockerTag("1", "http://quay.io/a/b")]), /from\.name: .* names no image$/],
  "a very long image": [stream("x", [dockerTag("1", `quay.io/${"a-".repeat(100_000)}`)]), /names no image$/],
  "a circle of tags": [stream("x", [tagOf("1", "2"), tagOf("2", "1")]), /the tag "1" means itself$/],
  "a reference with two colons": [stream("x", [tagOf("1", "a:b:c")]), /is neither <tag> nor <stream>:<tag>$/],
  "annotations that are numbers": [
    { ...stream("x"), metadata: { name: "x", annotations: { a: 1 } } },
    /^metadata\.annotations\.a: must be string$/,
  ],
  "a repository that is none": [
    stream("x", [], { dockerImageRepository: "a b" }),
    /^spec\.dockerImageRepository: /,
  ],
  "too many tags": [
    stream(
      "x",
      Array.from({ length: 1_001 }, (_, n) => dockerTag(`${n}`)),
    ),
    /^spec\.tags: /,
  ],
};

const badTemplates: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  "no objects": [{ kind: "Template", metadata: { name: "x" } }, /objects/],
  "an object without a kind": [
    template("x", { objects: [{ apiVersion: "v1", metadata: { name: "a" } }] }),
    /^objects\[0\]\.kind: required$/,
  ],
  "an object without a name": [
    template("x", { objects: [{ apiVersion: "v1", kind: "Pod" }] }),
    /^objects\[0\]\.metadata\.name: required$/,
  ],
  "an object that is a text": [template("x", { objects: ["a"] }), /^objects\[0\]: must be object$/],
  "a parameter twice": [
    template("x", { parameters: [{ name: "A" }, { name: "A" }] }),
    /^parameters\[1\]\.name: "A" is there twice$/,
  ],
  "a parameter with a space": [template("x", { parameters: [{ name: "A B" }] }), /^parameters\[0\]\.name: /],
  "a value that is a number": [
    template("x", { parameters: [{ name: "A", value: 3 }] }),
    /^parameters\[0\]\.value: must be string$/,
  ],
  "another generator": [
    template("x", { parameters: [{ name: "A", generate: "uuid" }] }),
    /^parameters\[0\]\.generate: only "expression" is known$/,
  ],
  "a generator of too long texts": [
    template("x", { parameters: [{ name: "A", generate: "expression", from: "[a-z]{99999999}" }] }),
    /^parameters\[0\]\.from: a length is not within 1 to 255$/,
  ],
  "a name of capitals": [template("Rails"), /^metadata\.name: not a DNS subdomain$/],
};

for (const [directory, cases] of Object.entries({ imagestreams: badStreams, templates: badTemplates }))
  for (const [name, [value, message]] of Object.entries(cases))
    test(`${directory}: ${name} is reported and omitted, the rest is loaded`, async () => {
      const { imageStreams, templates, problems } = await load({
        [`a/${directory}/bad.json`]: value,
        "good/imagestreams/good.json": stream("good"),
        "good/templates/good.json": template("good"),
      });
      assert.deepEqual([...imageStreams.keys(), ...templates.keys()], ["good", "good"]);
      assert.ok(problems.every(({ file }) => file === `a/${directory}/bad.json`));
      assert.ok(problems.some(({ severity }) => severity === "error"));
      assert.match(problems.find(({ severity }) => severity === "error")?.message ?? "", message);
      assert.ok(problems.every(({ message: each }) => each.length < 500));
    });

test("a problem that only breaks at run time is a warning, and its object is loaded", async () => {
  const { imageStreams, templates, problems } = await load({
    "a/imagestreams/a.json": stream("a", [dockerTag("1"), tagOf("latest", "2"), tagOf("own", "a:1")]),
    "a/templates/t.json": template("t", { message: "$" + "{NAME} and $" + "{{NAME}}" }),
  });
  assert.deepEqual([imageStreams.size, templates.size], [1, 1]);
  assert.deepEqual(problems, [
    {
      file: "a/imagestreams/a.json",
      severity: "warning",
      message: 'spec.tags[1].from.name: the stream has no tag "2"',
    },
    {
      file: "a/templates/t.json",
      severity: "warning",
      message: "the placeholder of NAME is not replaced: there is no parameter of that name",
    },
  ]);
});

test("of two files with one name the later counts, and the earlier is named", async () => {
  const { imageStreams, problems } = await load({
    "b/imagestreams/x.json": stream("ruby", [dockerTag("2")]),
    "a/imagestreams/x.json": stream("ruby", [dockerTag("1")]),
  });
  assert.deepEqual(imageStreams.get("ruby")?.spec, { tags: [dockerTag("2")] });
  assert.deepEqual(problems, [
    {
      file: "a/imagestreams/x.json",
      severity: "error",
      message: 'b/imagestreams/x.json has the name "ruby" too, and replaces it',
    },
  ]);
});

test("limits: too large, deep or numerous content is reported, the rest is loaded", async (t) => {
  const files = {
    "a/imagestreams/a.json": stream("a"),
    "a/imagestreams/b.json": { ...stream("b"), filler: "x".repeat(2_000) },
    "c/d/imagestreams/c.json": stream("c"),
    "e/imagestreams/e.json": stream("e"),
  };
  const cases: readonly (readonly [string, Partial<ContentLimits>, readonly string[], RegExp])[] = [
    [
      "bytes of a file",
      { fileBytes: 1_000 },
      ["a", "c", "e"],
      /^a\/imagestreams\/b\.json: larger than 1000 bytes$/,
    ],
    ["bytes in all", { totalBytes: 350 }, ["a", "c"], /: the catalogue is larger than 350 bytes$/],
    ["folders", { depth: 2 }, ["a", "b", "e"], /^c\/d\/imagestreams: deeper than 2 directories$/],
    ["files", { entries: 4 }, ["a", "b"], /more than 4 files and directories: the rest is omitted$/],
  ];
  for (const [name, limits, names, problem] of cases)
    await t.test(name, async () => {
      const { imageStreams, problems } = await load(files, { ...contentLimits, ...limits });
      assert.deepEqual([...imageStreams.keys()], names);
      assert.match(
        problems.map(({ file, message }) => `${file}: ${message}`).join("\n"),
        new RegExp(problem, "m"),
      );
    });
});

test("links are not followed", async () => {
  await using made = await catalogueDirectory({ "a/imagestreams/a.json": stream("a") });
  const directory = join(made.directory, "x86_64");
  await symlink(directory, join(directory, "again"));
  await symlink("/dev/zero", join(directory, "a/imagestreams/zero.json"));
  const { imageStreams, problems } = await loadCatalogue(made.directory, "x86_64", signal);
  assert.deepEqual([...imageStreams.keys()], ["a"]);
  assert.deepEqual(
    problems.map(({ file }) => file),
    ["a/imagestreams/zero.json"],
  );
});

test("a missing or empty directory and an abort are errors", async () => {
  await using made = await catalogueDirectory({ "a/README.md": "" });
  const unreadable = (error: unknown) => isCoded(error, "ContentUnreadable");
  await assert.rejects(loadCatalogue(made.directory, "x86_64", signal), unreadable);
  await assert.rejects(loadCatalogue(made.directory, "s390x", signal), unreadable);
  await assert.rejects(
    loadCatalogue(made.directory, "x86_64", AbortSignal.abort("draining")),
    (error) => error === "draining",
  );
});
