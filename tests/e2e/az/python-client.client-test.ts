/**
 * Tests all cluster operations through the proxy. Uses PyPI's Python SDK in the environment of the newest `az`, and the project's
 * Python client.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { BuiltWheel } from "../../python/support/python.ts";
import { ArmClient } from "../support/arm-client.ts";
import { azVersions } from "./support/az.ts";
import { AzWorld } from "./support/az-world.ts";

const python = join(import.meta.dirname, "../../../.tools/az", azVersions.newest, "bin/python");

const program = `
import json, sys
import msal
from azure.core.credentials import AccessToken
from azure.core.exceptions import ResourceNotFoundError
from importlib import import_module

asked = json.load(sys.stdin)
AzureRedHatOpenShiftClient = import_module(asked["package"]).AzureRedHatOpenShiftClient

class Credential:
    def get_token(self, *scopes, **_):
        app = msal.ConfidentialClientApplication(asked["clientId"], asked["clientSecret"],
            authority="https://login.microsoftonline.com/" + asked["tenantId"])
        token = app.acquire_token_for_client(list(scopes))
        return AccessToken(token["access_token"], 2 ** 31)

client = AzureRedHatOpenShiftClient(Credential(), asked["subscriptionId"], logging_enable=True)
clusters = client.open_shift_clusters
place = (asked["name"], asked["name"])
made = clusters.begin_create_or_update(*place, asked["cluster"]).result().as_dict()
shown = clusters.get(*place).as_dict()
updated = clusters.begin_update(*place, {"tags": {"by": "python"}}).result().as_dict()
credentials = clusters.list_credentials(*place).as_dict()
listed = [each.name for each in clusters.list_by_resource_group(asked["name"])]
clusters.begin_delete(*place).result()
try:
    clusters.get(*place)
    after = "there"
except ResourceNotFoundError as error:
    after = error.error.code
json.dump({"made": made, "shown": shown, "updated": updated, "credentials": credentials, "listed": listed,
    "after": after}, sys.stdout)
`;

const title = "creates a cluster, waits for it, shows, changes, lists and deletes it, whichever the client";

test(title, { timeout: 900_000 }, async () => {
  await using world = await AzWorld.start("--subnets-for", "theirs", "--subnets-for", "ours");
  using wheel = await BuiltWheel.build("python");
  await Promise.all([
    liveWith(world, { package: "azure.mgmt.redhatopenshift", name: "theirs" }),
    liveWith(world, { package: "keelson.mgmt.redhatopenshift", name: "ours" }, wheel.installed),
  ]);
});

async function liveWith(
  world: AzWorld,
  client: { readonly package: string; readonly name: string },
  modules = "",
): Promise<void> {
  const { subscriptionId, tenantId, clientId, clientSecret } = world.endpoints;
  const { name } = client;
  await using arm = new ArmClient(world.state.file("endpoints.json"));
  const cluster = await arm.clusterRequest(name);
  const child = spawn(python, ["-c", program], {
    env: { PATH: process.env.PATH, PYTHONPATH: modules, ...world.environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(JSON.stringify({ ...client, subscriptionId, tenantId, clientId, clientSecret, cluster }));
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  assert.equal(code, 0, stderr);
  const seen = JSON.parse(stdout);
  assert.equal(seen.made.properties?.provisioningState ?? seen.made.provisioning_state, "Succeeded");
  assert.equal(seen.shown.name, name);
  assert.deepEqual(seen.updated.tags, { by: "python" });
  assert.ok(seen.listed.includes(name));
  assert.match(JSON.stringify(seen.credentials), /kubeadmin/);
  assert.equal(seen.after, "ResourceNotFound");
}
