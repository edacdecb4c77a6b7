import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isCoded } from "@keelson/base";
import { architectureDirectories } from "../content/architecture-directory.ts";
import { shippedCatalogues } from "../content/shipped-catalogues.ts";
import { type SyncOptions, syncCatalogues } from "./sync-catalogues.ts";

const { signal } = new AbortController();
const ownLibrary = fileURLToPath(new URL("../../library", import.meta.url));

async function directoryOf(
  files: Readonly<Record<string, string>> = {},
): Promise<{ readonly directory: string } & AsyncDisposable> {
  const directory = await mkdtemp(join(tmpdir(), "library-"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

/** Returns the file contents of a directory, sorted by path. */
async function textsOf(directory: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    paths
      .sort()
      .map(async (path) => [path.slice(directory.length + 1), await readFile(path, "utf8")] as const),
  );
  return Object.fromEntries(texts);
}

function options(from: string, to: string, more: Partial<SyncOptions> = {}): SyncOptions {
  return {
    from,
    to,
    architectures: ["x86_64"],
    distribution: "ocp",
    download: false,
    allowPrivateAddresses: false,
    environment: {},
    ...more,
  };
}

const stream = (name: string, image = "quay.io/team/app:1") => ({
  kind: "ImageStream",
  apiVersion: "v1",
  metadata: { name },
  spec: { tags: [{ name: "1", from: { kind: "DockerImage", name: image } }] },
});
const json = (value: unknown) => JSON.stringify(value);
const entry = (location: string, more: object = {}) => ({ location, tags: ["ocp"], ...more });
const manifest = (data: object, variables: object = {}) => json({ variables, data });

test("the shipped catalogues are byte for byte the output of sync from the operator's library", async () => {
  await using made = await directoryOf();
  const all = options(ownLibrary, made.directory, { architectures: architectureDirectories });
  const synced = await syncCatalogues(all, signal);
  assert.deepEqual(
    synced.flatMap(({ problems }) => problems),
    [],
  );
  const first = await textsOf(made.directory);
  assert.ok(Object.keys(first).length >= 4 * 15);
  assert.deepEqual(
    await textsOf(shippedCatalogues),
    first,
    "run keelson samples sync, see operators/samples/README.md",
  );
  await syncCatalogues(all, signal);
  assert.deepEqual(await textsOf(made.directory), first);
});

test("an entry contains matches of its tags, expression and suffix, with lists expanded and variables replaced", async () => {
  await using library = await directoryOf({
    "official.yaml": manifest(
      {
        a: {
          imagestreams: [
            entry("src/{dir}/list.json", { regex: "^a", suffix: "rhel" }),
            entry("src/x/other.json", { tags: ["okd"] }),
            entry("src/x/arm.json", { tags: ["ocp", "arch_aarch64"] }),
          ],
          templates: [entry("src/t.yaml", { tags: ["ocp", "arch_x86_64", "arch_s390x"] })],
        },
      },
      { dir: "x" },
    ),
    "community.yaml": manifest({ a: { imagestreams: [entry("src/x/old.json", { suffix: "rhel" })] } }),
    "src/x/list.json": json({ kind: "List", items: [stream("a1"), stream("b1"), stream("a2")] }),
    "src/x/other.json": json(stream("okd")),
    "src/x/arm.json": json(stream("arm")),
    "src/x/old.json": json(stream("a1", "quay.io/team/old:1")),
    "src/t.yaml":
      "apiVersion: v1\nkind: Template\nmetadata: {name: t}\nobjects: [{apiVersion: v1, kind: Pod, metadata: {name: p}}]\n",
  });
  await using made = await directoryOf();
  const architectures = ["x86_64", "arm64", "s390x"];
  const synced = await syncCatalogues(options(library.directory, made.directory, { architectures }), signal);
  assert.deepEqual(
    synced.map(({ architecture, imageStreams, templates, problems }) => [
      architecture,
      imageStreams,
      templates,
      problems.length,
    ]),
    [
      ["x86_64", 2, 1, 0],
      ["aarch64", 1, 0, 0],
      ["s390x", 0, 1, 0],
    ],
  );
  const texts = await textsOf(made.directory);
  assert.deepEqual(Object.keys(texts), [
    "aarch64/a/imagestreams/arm.json",
    "s390x/a/templates/t.json",
    "x86_64/a/imagestreams/a1-rhel.json",
    "x86_64/a/imagestreams/a2-rhel.json",
    "x86_64/a/templates/t.json",
  ]);
  assert.ok(!texts["x86_64/a/imagestreams/a1-rhel.json"]?.includes("old"), "official stands above community");
  assert.match(
    texts["x86_64/a/imagestreams/a2-rhel.json"] ?? "",
    /^\{\n\t"apiVersion": "image.openshift.io\/v1",\n/,
  );
});

test("without --download, a URL represents only its import in the checkout", async () => {
  const url = "https://raw.example.com/ruby.json";
  const imported = "operator/ocp-x86_64/official/ruby/imagestreams";
  await using library = await directoryOf({
    "official.yaml": manifest({
      ruby: {
        imagestreams: [
          entry(url, { regex: "ruby", suffix: "rhel" }),
          entry("https://raw.example.com/lost.json", { suffix: "lost" }),
        ],
      },
    }),
    [`${imported}/ruby-rhel.json`]: json(stream("ruby")),
    [`${imported}/stale.json`]: json(stream("stale")),
    [`${imported}/renamed-rhel.json`]: json(stream("ruby-other")),
  });
  await using made = await directoryOf();
  const [synced] = await syncCatalogues(options(library.directory, made.directory), signal);
  assert.deepEqual(Object.keys(await textsOf(made.directory)), ["x86_64/ruby/imagestreams/ruby-rhel.json"]);
  assert.deepEqual(
    synced?.problems.map(({ message }) => message),
    [`nothing was imported from there into ${imported}: try --download`],
  );
});

test("invalid files of a checkout are named and omitted", async (t) => {
  const good = { "good.json": json(stream("good")) };
  const cases: Readonly<Record<string, readonly [object, Readonly<Record<string, string>>, RegExp]>> = {
    "a file that is missing": [entry("no.json"), {}, /^the checkout does not contain the file$/],
    "a path out of the checkout": [entry("../../../../etc/hostname"), {}, /is outside the checkout$/],
    "a link out of the checkout": [entry("link"), {}, /is outside the checkout$/],
    "another scheme": [entry("file:///etc/hostname"), {}, /^nothing was imported from there/],
    "no JSON": [entry("x.json"), { "x.json": "{" }, /^neither JSON nor YAML/],
    "a bomb of aliases": [
      entry("x.yaml"),
      {
        "x.yaml": `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghij".replace(/./g, (c) => `${c}: &${c} [${`*${String.fromCharCode(c.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
      },
      /^neither JSON nor YAML: .*alias/i,
    ],
    "a file that is too large": [
      entry("x.json"),
      { "x.json": " ".repeat(1_000_001) },
      /larger than 1000000 bytes$/,
    ],
    "an object of another kind": [
      entry("x.json"),
      { "x.json": json({ kind: "Pod" }) },
      /^kind: must be ImageStream$/,
    ],
    "a name that is a path": [entry("x.json"), { "x.json": json(stream("../../evil")) }, /^metadata\.name: /],
    "an expression that takes for ever": [
      entry("x.json", { regex: "^(a+)+$" }),
      { "x.json": json(stream(`${"a".repeat(60)}b`)) },
      /^the regular expression .* cannot be used$/,
    ],
    "an expression that is none": [
      entry("good.json", { regex: "(" }),
      {},
      /^the regular expression .* cannot be used$/,
    ],
  };
  for (const [name, [wrong, files, message]] of Object.entries(cases))
    await t.test(name, async () => {
      await using library = await directoryOf({
        ...good,
        ...files,
        "official.yaml": manifest({ a: { imagestreams: [wrong, entry("good.json")] } }),
      });
      await symlink("/etc/hostname", join(library.directory, "link"));
      await using made = await directoryOf();
      const [synced] = await syncCatalogues(options(library.directory, made.directory), signal);
      assert.deepEqual(Object.keys(await textsOf(made.directory)), ["x86_64/a/imagestreams/good.json"]);
      assert.equal(synced?.problems.length, 1);
      assert.match(synced?.problems[0]?.message ?? "", message);
    });
});

test("an unusable checkout is rejected before anything is replaced", async (t) => {
  const cases: Readonly<Record<string, readonly [Readonly<Record<string, string>>, RegExp]>> = {
    "no manifest": [{}, /has neither official\.yaml nor community\.yaml/],
    "no YAML": [{ "official.yaml": "a: [" }, /^official\.yaml: /],
    "no entries": [{ "official.yaml": "data: 3" }, /^official\.yaml: data: must be object$/],
    "an entry without a location": [
      { "official.yaml": manifest({ a: { templates: [{}] } }) },
      /^official\.yaml: data\.a\.templates\.0: .*location/,
    ],
    "a folder that is a path": [
      { "official.yaml": manifest({ "../a": {} }) },
      /^official\.yaml: data\.\.\.\/a: not the name of a directory$/,
    ],
    "a suffix that is a path": [
      { "official.yaml": manifest({ a: { templates: [entry("x", { suffix: "../x" })] } }) },
      /suffix: not a part of a file's name$/,
    ],
    "nothing for the distribution": [
      { "official.yaml": manifest({ a: { templates: [entry("x", { tags: ["okd"] })] } }) },
      /has nothing for ocp on x86_64$/,
    ],
  };
  for (const [name, [files, message]] of Object.entries(cases))
    await t.test(name, async () => {
      await using library = await directoryOf(files);
      await using made = await directoryOf({ "x86_64/a/templates/old.json": "{}" });
      await assert.rejects(syncCatalogues(options(library.directory, made.directory), signal), (error) => {
        assert.ok(isCoded(error, "LibraryUnreadable"));
        assert.match(error.message, message);
        return true;
      });
      assert.deepEqual(Object.keys(await textsOf(made.directory)), ["x86_64/a/templates/old.json"]);
    });
});

test("a directory is replaced completely, unless it contains other files than a catalogue", async () => {
  await using library = await directoryOf({
    "official.yaml": manifest({ a: { imagestreams: [entry("a.json")] } }),
    "a.json": json(stream("a")),
  });
  await using made = await directoryOf({ "x86_64/old/templates/old.json": "{}" });
  await syncCatalogues(options(library.directory, made.directory), signal);
  assert.deepEqual(await readdir(made.directory), ["x86_64"]);
  assert.deepEqual(Object.keys(await textsOf(made.directory)), ["x86_64/a/imagestreams/a.json"]);
  await using home = await directoryOf({ "x86_64/thesis.odt": "" });
  await assert.rejects(
    syncCatalogues(options(library.directory, home.directory), signal),
    /is not replaced: it contains thesis\.odt/,
  );
  assert.deepEqual(Object.keys(await textsOf(home.directory)), ["x86_64/thesis.odt"]);
});

test("--download reads each location once, and private addresses only if they are allowed", async () => {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    if (request.url === "/moved.json") response.writeHead(302, { location: "/a.json" }).end();
    else if (request.url === "/large.json") response.end("x".repeat(1_000_001));
    else if (request.url === "/a.json") response.end(json(stream("a")));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const at = (path: string) => `http://127.0.0.1:${port}/${path}`;
  try {
    await using library = await directoryOf({
      "official.yaml": manifest({
        a: {
          imagestreams: ["moved.json", "large.json", "gone.json"].map((path) =>
            entry(at(path), { tags: ["ocp", "arch_x86_64", "arch_s390x"] }),
          ),
        },
      }),
    });
    await using made = await directoryOf();
    const asked = options(library.directory, made.directory, {
      architectures: ["x86_64", "s390x"],
      download: true,
    });
    await assert.rejects(syncCatalogues(asked, signal), /http:\/\/ is not read: use https:\/\//);
    assert.deepEqual(paths, []);
    const [first, second] = await syncCatalogues({ ...asked, allowPrivateAddresses: true }, signal);
    assert.deepEqual(paths, ["/moved.json", "/a.json", "/large.json", "/gone.json"]);
    assert.deepEqual(first?.problems, second?.problems);
    assert.deepEqual(
      first?.problems.map(({ message }) => message),
      [`${at("large.json")}: larger than 1000000 bytes`, `${at("gone.json")}: the host responded with 404`],
    );
    assert.deepEqual(Object.keys(await textsOf(made.directory)), [
      "s390x/a/imagestreams/a.json",
      "x86_64/a/imagestreams/a.json",
    ]);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

test("a repository at a private address or another scheme is not cloned", async () => {
  await using made = await directoryOf();
  const cases: readonly (readonly [string, RegExp])[] = [
    ["https://127.0.0.1/library.git", /is not a host of the internet/],
    ["https://localhost/library.git", /is not a host of the internet/],
    ["https://[::1]/library.git", /is not a host of the internet/],
    ["file:///etc", /is not read: use https/],
    ["ssh://git@example.com/x", /is not read: use https/],
    ["http://example.com/x", /is not read: use https/],
  ];
  for (const [from, message] of cases)
    await assert.rejects(syncCatalogues(options(from, made.directory), signal), (error) => {
      assert.ok(isCoded(error, "DownloadFailed"));
      assert.match(error.message, message);
      return true;
    });
});
