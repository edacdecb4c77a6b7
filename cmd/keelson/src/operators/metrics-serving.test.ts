import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import { metricsServing } from "./metrics-serving.ts";

const defaults = { certificateDirectory: "/etc/secrets", httpsPort: 60_000, httpPort: 8_888 };

test("a configuration sets the address of metrics, but not in a simulated container", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "metrics-serving-"));
  const config = join(directory.path, "config.yaml");
  await writeFile(config, 'servingInfo: { bindAddress: "0.0.0.0:8443" }');
  const real = await metricsServing({ config, environment: {}, logger: silentLogger }, defaults);
  assert.deepEqual([real.host, real.port], ["0.0.0.0", 8_443]);
  const environment = { KEELSON_ROOT: directory.path };
  const options = { config: "/config.yaml", metricsPort: 20_000, environment, logger: silentLogger };
  const simulated = await metricsServing(options, defaults);
  assert.deepEqual([simulated.host, simulated.port], [undefined, 20_000]);
});
