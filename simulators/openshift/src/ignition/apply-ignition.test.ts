import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { isCoded } from "@keelson/base";
import fc from "fast-check";
import { errors } from "../base/errors.ts";
import { applyIgnition, type FetchRequest } from "./apply-ignition.ts";
import { dataUrl, decodeDataUrl } from "./data-url.ts";

const ignition = { version: "3.2.0" };
const base64 = (config: unknown) => Buffer.from(JSON.stringify(config)).toString("base64");
const file = (path: string, text: string, rest: object = {}) => ({
  path,
  contents: { source: dataUrl("text/plain", text) },
  ...rest,
});
const withFiles = (...files: readonly object[]) => ({ ignition, storage: { files } });

/** Returns a fake network that serves these contents by URL. */
function network(contents: Readonly<Record<string, unknown>>, asked: FetchRequest[] = []) {
  return async (request: FetchRequest) => {
    asked.push(request);
    const found = contents[String(request.url)];
    if (found === undefined) throw errors.IgnitionUnavailable("no such host");
    return Buffer.isBuffer(found) ? found : Buffer.from(JSON.stringify(found));
  };
}

async function filesOf(config: unknown, contents: Readonly<Record<string, unknown>> = {}) {
  const { files } = await applyIgnition(base64(config), network(contents), new AbortController().signal);
  return Object.fromEntries(files);
}

const long = "x".repeat(10_000);
const sha512 = (text: string) => createHash("sha512").update(text).digest("hex");
const blob = "https://cluster.blob.core.windows.net/ignition/bootstrap.ign?sig=secret";

const rows: readonly {
  readonly name: string;
  readonly config: unknown;
  readonly network?: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, string>>;
}[] = [
  { name: "files", config: withFiles(file("/a", "1"), file("/b", "2")), files: { "/a": "1", "/b": "2" } },
  {
    name: "percent-encoded data URLs",
    config: withFiles({ path: "/a", contents: { source: "data:,hello%20%C3%A4" } }),
    files: { "/a": "hello ä" },
  },
  {
    name: "compressed contents",
    config: withFiles({
      path: "/a",
      contents: {
        compression: "gzip",
        source: `data:;base64,${gzipSync(long).toString("base64")}`,
      },
    }),
    files: { "/a": long },
  },
  {
    name: "appended parts",
    config: withFiles(file("/a", "1", { append: [{ source: "data:,2" }, { source: "data:,3" }] }), {
      path: "/b",
      append: [{ source: "data:,4" }],
    }),
    files: { "/a": "123", "/b": "4" },
  },
  {
    name: "a configuration that replaces all other files",
    config: {
      ...withFiles(file("/gone", "1")),
      ignition: { ...ignition, config: { replace: { source: blob } } },
    },
    network: { [blob]: withFiles(file("/a", "1")) },
    files: { "/a": "1" },
  },
  {
    name: "a compressed configuration with a hash",
    config: {
      ignition: {
        ...ignition,
        config: {
          merge: [
            {
              source: "https://h/1",
              compression: "gzip",
            },
            {
              source: "https://h/2",
              verification: { hash: `sha512-${sha512(JSON.stringify(withFiles(file("/b", "2"))))}` },
            },
          ],
        },
      },
    },
    network: {
      "https://h/1": gzipSync(JSON.stringify(withFiles(file("/a", "1")))),
      "https://h/2": withFiles(file("/b", "2")),
    },
    files: { "/a": "1", "/b": "2" },
  },
  {
    name: "merged configurations, of which the later overrides",
    config: {
      ...withFiles(file("/a", "parent"), file("/b", "parent")),
      ignition: { ...ignition, config: { merge: [{ source: "https://h/1" }, { source: "https://h/2" }] } },
    },
    network: {
      "https://h/1": withFiles(file("/b", "1"), file("/c", "1")),
      "https://h/2": withFiles(file("/c", "2")),
    },
    files: { "/a": "parent", "/b": "1", "/c": "2" },
  },
  {
    name: "contents by URL",
    config: withFiles({ path: "/a", contents: { source: "https://h/file" } }),
    network: { "https://h/file": Buffer.from("remote") },
    files: { "/a": "remote" },
  },
];

for (const { name, config, network: contents, files } of rows)
  test(`a first boot writes ${name}`, async () => {
    assert.deepEqual(await filesOf(config, contents), files);
  });

test("requests have the headers of their resource and the CAs of their configuration", async () => {
  const asked: FetchRequest[] = [];
  const config = {
    ignition: {
      ...ignition,
      config: { merge: [{ source: "https://h/1", httpHeaders: [{ name: "accept", value: "a" }] }] },
      security: { tls: { certificateAuthorities: [{ source: dataUrl("text/plain", "root") }] } },
    },
  };
  const nested = withFiles({ path: "/a", contents: { source: "https://h/2" } });
  await applyIgnition(
    base64(config),
    network({ "https://h/1": nested, "https://h/2": Buffer.from("x") }, asked),
    new AbortController().signal,
  );
  assert.deepEqual(
    asked.map(({ url, headers, authorities }) => [url.pathname, headers, authorities]),
    [
      ["/1", { accept: "a" }, ["root"]],
      ["/2", {}, ["root"]],
    ],
  );
});

test("keys of the user core are those of all configurations", async () => {
  const user = (...sshAuthorizedKeys: readonly string[]) => ({
    ignition,
    passwd: {
      users: [
        { name: "core", sshAuthorizedKeys },
        { name: "other", sshAuthorizedKeys: ["no"] },
      ],
    },
  });
  const config = { ...user("a"), ignition: { ...ignition, config: { merge: [{ source: "https://h/1" }] } } };
  const { sshAuthorizedKeys } = await applyIgnition(
    base64(config),
    network({ "https://h/1": user("a", "b") }),
    new AbortController().signal,
  );
  assert.deepEqual(sshAuthorizedKeys, ["a", "b"]);
});

const self = { ignition: { ...ignition, config: { merge: [{ source: "https://h/1" }] } } };
const bad: readonly {
  readonly name: string;
  readonly customData: string | undefined;
  readonly code: string;
  readonly message: RegExp;
}[] = [
  { name: "no custom data", customData: undefined, code: "InvalidIgnition", message: /no custom data/ },
  {
    name: "a script",
    customData: Buffer.from("#!/bin/sh secret").toString("base64"),
    code: "InvalidIgnition",
    message: /^the configuration is not a JSON object$/,
  },
  { name: "no version", customData: base64({}), code: "InvalidIgnition", message: /version is missing/ },
  {
    name: "version 2",
    customData: base64({ ignition: { version: "2.2.0" } }),
    code: "InvalidIgnition",
    message: /"2\.2\.0" is unsupported/,
  },
  {
    name: "a relative path",
    customData: base64(withFiles(file("a", "1"))),
    code: "InvalidIgnition",
    message: /files\[0\]\.path/,
  },
  {
    name: "an unknown compression",
    customData: base64(withFiles({ path: "/a", contents: { source: "data:,1", compression: "xz" } })),
    code: "InvalidIgnition",
    message: /"xz" must be "gzip"/,
  },
  {
    name: "contents that are not compressed",
    customData: base64(withFiles({ path: "/a", contents: { source: "data:,1", compression: "gzip" } })),
    code: "InvalidIgnition",
    message: /cannot be decompressed/,
  },
  {
    name: "a wrong hash",
    customData: base64(
      withFiles({
        path: "/a",
        contents: { source: "data:,1", verification: { hash: `sha256-${"0".repeat(64)}` } },
      }),
    ),
    code: "InvalidIgnition",
    message: /does not match its hash/,
  },
  {
    name: "a configuration that refers to itself",
    customData: base64(self),
    code: "InvalidIgnition",
    message: /more than 32 configurations/,
  },
  {
    name: "an unsupported scheme",
    customData: base64(withFiles({ path: "/a", contents: { source: "s3://bucket/key" } })),
    code: "InvalidIgnition",
    message: /unsupported scheme/,
  },
  {
    name: "an unknown host",
    customData: base64(withFiles({ path: "/a", contents: { source: "https://nowhere/x" } })),
    code: "IgnitionUnavailable",
    message: /no such host/,
  },
];

for (const { name, customData, code, message } of bad)
  test(`a machine with ${name} does not boot`, async () => {
    await assert.rejects(
      applyIgnition(customData, network({ "https://h/1": self }), new AbortController().signal),
      (error) => isCoded(error, code) && message.test(error.message),
    );
  });

test("a data URL is decoded to its original content", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      assert.equal(decodeDataUrl(dataUrl("text/plain", text)).toString(), text);
      assert.equal(decodeDataUrl(`data:,${encodeURIComponent(text)}`).toString(), text);
    }),
  );
});
