/**
 * Tests a region that `keelson deploy` deploys to the simulated Azure with real service processes. It takes two minutes because
 * load balancers probe every five seconds and machines drain.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Browser } from "@keelson/portal/testing";
import { eventually } from "../e2e/support/eventually.ts";
import { DeployedRegion } from "./deployed-region.ts";

const signal = AbortSignal.timeout(900_000);

describe("a region with running machines", { timeout: 900_000 }, () => {
  let region: DeployedRegion;
  let browser: Browser;
  const get = (path: string, by = browser) => by.send(region.portal, path);
  const machines = () => readdirSync(region.fleet.state.file("machines")).toSorted();
  /** Returns the gateway properties of the configuration with the database URL. */
  const gateway = (url: string) => ({
    ...{ host: "127.0.0.1", storageSuffix: "core.windows.net", serveOnMs: 0, drainMs: 0 },
    database: { kind: "postgres", url },
  });

  before(async () => {
    region = await DeployedRegion.start({ names: [], programs: {}, machines: 1 });
    await region.writeConfig(gateway(region.fleet.databaseUrl));
    browser = new Browser(region.caPem);
  });
  after(() => region[Symbol.asyncDispose]());

  test("people sign in to its portal through the load balancer, and SSH responds there", async () => {
    const { portal } = JSON.parse(await region.deploy("v1", signal));
    assert.equal(portal, "https://eastus.admin.rp.example.com");
    assert.deepEqual(machines(), ["gateway-vmss-v1_0", "rp-vmss-v1_0"]);
    assert.equal((await get("/healthz/ready")).status, 200);
    const asked = await get("/");
    assert.deepEqual([asked.status, asked.headers.location], [307, "/api/login?redirect_uri=/"]);
    const back = await browser.signIn(region.portal, "reader@keelson.local", "/");
    assert.deepEqual([back.status, back.headers.location], [307, "/"]);
    const info = JSON.parse((await get("/api/info")).text);
    assert.deepEqual(
      [info.location, info.username, info.elevated],
      ["eastus", "reader@keelson.local", false],
    );
    assert.equal((await get("/api/clusters")).text.trim(), "[]");
    assert.match((await get("/")).text, /<script type="module"/, "the built pages");
    assert.match(await greeting(region.sshPort), /^SSH-2\.0-Keelson\r\n/);
  });

  test("the portal stays available during a replacement of versions, and keeps the sessions", async () => {
    const over = new AbortController();
    const failures: string[] = [];
    let reads = 0;
    const reading = (async () => {
      while (!over.signal.aborted) {
        const what = await get("/api/clusters").then(
          ({ status }) => (status === 200 ? undefined : `status ${status}`),
          (error: unknown) => String(error),
        );
        if (what !== undefined) failures.push(what);
        reads++;
        await delay(50);
      }
    })();
    await region.deploy("v2", signal).finally(() => over.abort());
    await reading;
    assert.deepEqual(failures, []);
    assert.ok(reads > 100, `${reads} reads`);
    await eventually(async () => assert.deepEqual(machines(), ["gateway-vmss-v2_0", "rp-vmss-v2_0"]));
    assert.match(await greeting(region.sshPort), /^SSH-2\.0-Keelson\r\n/);
  });

  test("a gateway that does not start fails the deployment by name, and the one before it stays", async () => {
    await region.writeConfig({ ...gateway(region.fleet.databaseUrl), limits: { total: 0 } });
    const said = await region.failDeploy("v3", "1m", signal);
    assert.match(
      said,
      /only 0 of 1 machines of gateway-vmss-v3 are healthy; not so gateway-vmss-v3\/0 \(unhealthy\)/,
    );
    assert.match(said, /Last lines of the log of gateway-vmss-v3\/0:\n.*\/limits\/total must be >= 1/);
    // Repeats the check because directories of deleted machines are removed after a short delay.
    await eventually(async () => assert.deepEqual(machines(), ["gateway-vmss-v2_0", "rp-vmss-v3_0"]));
  });
});

/** Returns the first line that a server sends on a connection. */
async function greeting(port: number): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  try {
    const [data] = await once(socket, "data", { signal: AbortSignal.timeout(900_000) });
    return String(data);
  } finally {
    socket.destroy();
  }
}
