import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { configSchemaVersion, LiveConfig, type RoleConfig, rereadServiceFields } from "@keelson/env";
import { exampleFiles } from "../configuration/example-configs.ts";
import { roleConfigSource, serviceConfigSource } from "./service-flags.ts";

const ignored = "fields of a newer schema version of the configuration are ignored";
const schemaVersion = configSchemaVersion + 1;

test("ignored fields are logged at the start, and again after each change of them", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-flags-"));
  const path = join(directory.path, "service.json");
  const example = new Map(exampleFiles()).get("rp.json") ?? "";
  const value = JSON.parse(example.replaceAll(/^ *\/\/.*$/gm, "").replaceAll(/REPLACE WITH [^"]+/g, "AAAA"));
  const write = (more: object) => writeFileSync(path, JSON.stringify({ ...value, ...more }));
  const lines: { msg: string; warnings: readonly string[] }[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ level: "info", destination });
  const logged = () =>
    lines
      .filter(({ msg }) => msg === ignored)
      .map(({ warnings }) => warnings.map((each) => each.split(" ")[0]));
  const flags = { state: directory.path, config: path };
  write({ schemaVersion, colour: 1 });
  await serviceConfigSource(flags, logger).read();
  assert.deepEqual(logged(), [["/colour"]]);

  lines.length = 0;
  const source = roleConfigSource(flags, logger);
  const clock = new ManualClock();
  const stop = new AbortController();
  const live = new LiveConfig<RoleConfig>(await source.read(), rereadServiceFields);
  let reads = 0;
  const read = async () => {
    reads++;
    return source.read();
  };
  const following = live.follow({ path, read }, { clock, logger, signal: stop.signal });
  const untilRead = async () => {
    for (const before = reads; reads === before; await delay(5)) await clock.advance(10_000);
    // A check logs its warnings before the next check begins. A further interval therefore ensures that all warnings are logged.
    await clock.advance(10_000);
    await delay(50);
  };
  await untilRead();
  assert.deepEqual(logged(), [["/colour"]], "unchanged fields are not logged again");
  write({ schemaVersion, colour: 1, workers: 5, shape: 2 });
  await untilRead();
  assert.deepEqual(logged(), [["/colour"], ["/colour", "/shape"]]);
  write({ colour: 1 });
  await untilRead();
  assert.ok(lines.some(({ msg }) => msg === "the configuration was not read again"));
  write({});
  await untilRead();
  write({ schemaVersion, shape: 2 });
  await untilRead();
  assert.deepEqual(logged(), [["/colour"], ["/colour", "/shape"], ["/shape"]]);
  stop.abort();
  await following;
});
