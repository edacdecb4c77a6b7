import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { resources } from "@keelson/kube";
import { ScriptedApi } from "../testing/scripted-api.ts";
import { Cache } from "./cache.ts";
import { metadataOnly, withoutManagedFields } from "./strip-fields.ts";

test("a cache uses its own strip for a resource, unless a request has a different one", async () => {
  const api = new ScriptedApi();
  api.write("a", "1");
  const cache = new Cache({
    api,
    strip: ({ plural }) => (plural === "secrets" ? metadataOnly : withoutManagedFields),
    clock: new ManualClock(),
    logger: silentLogger,
  });
  const stop = new AbortController();
  const ended = cache.run(stop.signal);
  const informers = [
    cache.informer(resources.configMaps),
    cache.informer(resources.secrets),
    cache.informer(resources.services, { strip: metadataOnly }),
  ];
  await cache.synced();
  const kept = informers.map((informer) => Object.keys(informer.list()[0] ?? {}));
  const metadata = ["apiVersion", "kind", "metadata"];
  assert.deepEqual(kept, [[...metadata, "data"], metadata, metadata]);
  assert.throws(() => cache.informer(resources.secrets, { strip: withoutManagedFields }), /other fields/);
  stop.abort();
  await ended;
});
