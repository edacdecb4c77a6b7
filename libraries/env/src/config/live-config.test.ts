import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { fieldRows } from "../reference/field-rows.ts";
import { LiveConfig, rereadDatabase, rereadServiceFields } from "./live-config.ts";
import { readServiceConfig } from "./read-config.ts";
import { type ServiceConfig, serviceConfigJsonSchema } from "./service-config.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-live-"));
const path = join(directory, "service.json");
after(() => rmSync(directory, { recursive: true }));

const key = (byte: number) => Buffer.alloc(32, byte).toString("base64");
const value = {
  location: "eastus",
  domain: "eastus.example.org",
  tenantId: "t",
  subscriptionId: "s",
  resourceGroup: "g",
  tls: { certificateFile: "a", keyFile: "b" },
  callers: { kind: "anyone" },
  azure: { armEndpoint: "https://arm", loginEndpoint: "https://login", audience: "https://arm/" },
  firstParty: { clientId: "c", clientSecret: "old" },
  database: { kind: "postgres", url: "postgres://me:old@host/db" },
  encryption: { current: "k", keys: { k: key(1) } },
  skipTokenKey: key(2),
  installer: { kind: "aro-installer", command: ["/bin/x"], workingFolder: directory, graphKeyFile: "k" },
  operatorImage: "registry.example.com/keelson:v1",
  certificateIssuer: { kind: "local", caFile: "a", caKeyFile: "b" },
  portal: {
    url: "https://portal.example.org",
    certificateFile: "a",
    signIn: {
      ...{ clientId: "c", certificateFile: "a", keyFile: "b", sessionKeys: [key(3)] },
      groups: { access: ["g"], elevated: ["h"] },
    },
  },
};

/**
 * Functions that each change one field, by the path of the field. Every field that the schema marks `reread` has a function,
 * except file names.
 */
const changes: Readonly<Record<string, (config: typeof value) => void>> = {
  schemaVersion: (config) => Object.assign(config, { schemaVersion: 2 }),
  skipTokenKey: (config) => Object.assign(config, { skipTokenKey: key(4) }),
  otherSkipTokenKeys: (config) => Object.assign(config, { otherSkipTokenKeys: [key(2)] }),
  "firstParty.clientSecret": (config) => Object.assign(config.firstParty, { clientSecret: "new" }),
  "database.url": (config) => Object.assign(config.database, { url: "postgres://me:new@host/db" }),
  "encryption.current": (config) =>
    Object.assign(config, { encryption: { current: "l", keys: { ...config.encryption.keys, l: key(5) } } }),
  "encryption.keys": (config) => Object.assign(config.encryption.keys, { m: key(6) }),
  "portal.signIn.sessionKeys": (config) =>
    Object.assign(config.portal.signIn, { sessionKeys: [key(7), key(3)] }),
};

test("each field that the schema marks as read again replaces the value of a running process", () => {
  const inFile = fieldRows(serviceConfigJsonSchema()).filter(
    (row) => row.isReread && !/[fF]ile$/.test(row.path) && !row.path.startsWith("encryption.keyVault"),
  );
  assert.deepEqual(inFile.map((row) => row.path).sort(), Object.keys(changes).sort());
  const read = (config: object) => {
    writeFileSync(path, JSON.stringify(config));
    return readServiceConfig(path);
  };
  for (const [field, change] of Object.entries(changes)) {
    const initial = read(value);
    const changed = structuredClone(value);
    change(changed);
    const next = read(changed);
    assert.notDeepEqual(next, initial, field);
    assert.deepEqual(rereadServiceFields(initial, next), next, field);
  }
});

test("a changed server of the database takes effect with the next start, its user and password at once", () => {
  const at = (url: string) => ({ kind: "postgres" as const, url, maxConnections: 5 });
  const changed = rereadDatabase(at("postgres://me:old@one/db"), at("postgres://you:n%40w@two/other"));
  assert.deepEqual(changed, at("postgres://you:n%40w@one/db"));
  const unencoded = at("postgres://me:p=w^|@one/db");
  assert.deepEqual(rereadDatabase(unencoded, unencoded), unencoded, "an unchanged URL is no change");
});

test("a changed file is used within 10 s, an invalid one and other fields change nothing", async () => {
  writeFileSync(path, JSON.stringify(value));
  const lines: string[] = [];
  const logger = createLogger({ level: "info", destination: { write: (line) => void lines.push(line) } });
  const clock = new ManualClock();
  const stop = new AbortController();
  const live = new LiveConfig<ServiceConfig>(readServiceConfig(path), rereadServiceFields);
  const heard: string[] = [];
  live.onChange(({ firstParty }) => heard.push(firstParty.clientSecret ?? ""));
  const following = live.follow(
    { path, read: () => readServiceConfig(path) },
    { clock, logger, signal: stop.signal },
  );
  const write = async (config: object | string, expected: RegExp) => {
    writeFileSync(path, typeof config === "string" ? config : JSON.stringify(config));
    while (!lines.some((line) => expected.test(line))) {
      await clock.advance(10_000);
      await delay(5);
    }
  };
  const rotated = { ...value, firstParty: { clientId: "c", clientSecret: "new" } };
  await write(rotated, /using changed fields.*firstParty|firstParty.*using changed fields/);
  assert.equal(live.current.firstParty.clientSecret, "new");
  await write("{", /was not read again/);
  await write({ ...rotated, port: 9443 }, /port.*next start/);
  assert.equal(live.current.port, 8443);
  assert.deepEqual(heard, ["new"]);
  assert.doesNotMatch(lines.join(""), /"new"|hunter2/);
  stop.abort();
  await following;
});
