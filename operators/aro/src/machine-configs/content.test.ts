import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt } from "@keelson/base";
import fc from "fast-check";
import { holdsContent, restoredSpec } from "./content.ts";
import { encodeDataUrl } from "./data-url.ts";
import { ignitionConfig } from "./ignition.ts";

const text = "#!/bin/bash\necho\n";
const unit = "[Unit]\nDescription=x\n";
const wanted = {
  config: ignitionConfig(
    [{ path: "/etc/a", mode: 0o644, text, user: "root" }],
    [{ name: "a.service", text: unit }],
  ),
};

/** Returns the output of ARO-RP's templates, formatted with the Go types of Ignition 3.2. */
function asTheOriginal(file: string, service: string): Record<string, unknown> {
  return {
    config: {
      ignition: {
        config: { replace: { verification: {} } },
        proxy: {},
        security: { tls: {} },
        timeouts: {},
        version: "3.2.0",
      },
      passwd: {},
      storage: {
        files: [
          {
            contents: { source: encodeDataUrl(file), verification: {} },
            group: {},
            mode: 420,
            overwrite: true,
            path: "/etc/a",
            user: { name: "root" },
          },
        ],
      },
      systemd: { units: [{ contents: service, enabled: true, name: "a.service" }] },
    },
    extensions: null,
    fips: false,
    kernelArguments: null,
    kernelType: "",
    osImageURL: "",
  };
}

test("empty properties and the original's empty first line are not a difference", () => {
  assert.ok(holdsContent(asTheOriginal(`\n${text}`, `\n${unit}`), wanted));
});

test("additions to a file or a unit are a difference", () => {
  const added: readonly [string, (config: typeof wanted.config) => void][] = [
    ["a file's group", (config) => addTo(config, "storage", "files", { group: { name: "wheel" } })],
    ["a file's user", (config) => addTo(config, "storage", "files", { user: { name: "root", id: 7 } })],
    ["a unit's dropins", (config) => addTo(config, "systemd", "units", { dropins: [{ name: "x.conf" }] })],
  ];
  for (const [what, add] of added) {
    const live = structuredClone(asTheOriginal(text, unit)) as typeof wanted;
    add(live.config);
    assert.equal(holdsContent(live, wanted), false, what);
  }
});

function addTo(config: unknown, part: string, list: string, members: object): void {
  Object.assign(listAt(config, part, list)[0] ?? assert.fail(), members);
}

test("a different form of the data URL is not a difference", () => {
  const live = structuredClone(asTheOriginal(text, unit)) as typeof wanted;
  Object.assign(live.config, {
    storage: {
      files: [
        {
          path: "/etc/a",
          mode: 420,
          overwrite: true,
          user: { name: "root" },
          contents: { source: `data:,${encodeURIComponent(text)}` },
        },
      ],
    },
  });
  assert.ok(holdsContent(live, wanted));
});

for (const [name, live] of [
  ["another text of a file", asTheOriginal(`${text} `, unit)],
  ["another text of a unit", asTheOriginal(text, "[Unit]\n")],
  ["an empty line within a file", asTheOriginal(text.replace("\n", "\n\n"), unit)],
  ["no content", {}],
  ["null", null],
  ["a list", []],
  ["files that are no list", { config: { ...wanted.config, storage: { files: "x" } } }],
  ["no unit", { config: { ...wanted.config, systemd: { units: [] } } }],
  ["kernel arguments", { ...wanted, kernelArguments: ["quiet"] }],
  ["an extension", { ...wanted, extensions: ["usbguard"] }],
  ["another kernel", { ...wanted, kernelType: "realtime" }],
  ["FIPS", { ...wanted, fips: true }],
  ["a user", { config: { ...wanted.config, passwd: { users: [{ name: "core" }] } } }],
  ["another version", { config: { ...wanted.config, ignition: { version: "3.1.0" } } }],
] as const)
  test(`${name} is a difference`, () => assert.equal(holdsContent(live, wanted), false));

test("fields added by other managers are removed, empty ones are preserved", () => {
  const live = {
    ...asTheOriginal(text, unit),
    fips: true,
    kernelArguments: ["quiet"],
    config: {
      ...wanted.config,
      passwd: { users: [{ name: "core" }] },
      ignition: { version: "3.2.0", proxy: {} },
    },
  };
  assert.deepEqual(restoredSpec(live, wanted), {
    config: { ...wanted.config, passwd: null },
    fips: null,
    kernelArguments: null,
  });
  assert.deepEqual(restoredSpec(undefined, wanted), wanted);
});

test("any content contains itself, in any property order", () => {
  const file = fc.record({
    path: fc.string(),
    mode: fc.constantFrom(420, 484),
    text: fc.string({ unit: "binary" }),
  });
  const service = fc.record({ name: fc.string(), text: fc.string() });
  fc.assert(
    fc.property(fc.array(file), fc.array(service), (files, units) => {
      const spec = { config: ignitionConfig(files, units) };
      assert.ok(holdsContent(reversed(spec), spec));
      assert.deepEqual(restoredSpec(spec, spec), spec);
    }),
  );
});

test("any live content is compared, never thrown at", () => {
  fc.assert(fc.property(fc.anything(), (live) => assert.equal(typeof holdsContent(live, wanted), "boolean")));
  fc.assert(
    fc.property(fc.jsonValue(), (files) => {
      holdsContent({ config: { storage: { files }, systemd: { units: files } } }, wanted);
    }),
  );
});

function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  ) as T;
}
