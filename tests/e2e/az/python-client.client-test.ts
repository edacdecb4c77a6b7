/** The unmodified Python SDK, from the environment of the newest `az`, through the proxy: the life of a cluster. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { ArmClient } from "../support/arm-client.ts";
import { exampleRequest } from "../support/cluster-request.ts";
import { azVersions } from "./support/az.ts";
import { AzWorld } from "./support/az-world.ts";

const python = join(import.meta.dirname, "../../../.tools/az", azVersions.newest, "bin/python");

const program = `
import json, sys
import msal
from azure.core.credentials import AccessToken
from azure.core.exceptions import ResourceNotFoundError
from azure.mgmt.redhatopenshift import AzureRedHatOpenShiftClient

asked = json.load(sys.stdin)

class Credential:
    def get_token(self, *scopes, **_):
        app = msal.ConfidentialClientApplication(asked["clientId"], asked["clientSecret"],
            authority="https://login.microsoftonline.com/" + asked["tenantId"])
        token = app.acquire_token_for_client(list(scopes))
        return AccessToken(token["access_token"], 2 ** 31)

client = AzureRedHatOpenShiftClient(Credential(), asked["subscriptionId"], logging_enable=True)
clusters = client.open_shift_clusters
place = ("python", "python")
made = clusters.begin_create_or_update(*place, asked["cluster"]).result().as_dict()
shown = clusters.get(*place).as_dict()
updated = clusters.begin_update(*place, {"tags": {"by": "python"}}).result().as_dict()
credentials = clusters.list_credentials(*place).as_dict()
listed = [each.name for each in clusters.list_by_resource_group("python")]
clusters.begin_delete(*place).result()
try:
    clusters.get(*place)
    after = "there"
except ResourceNotFoundError as error:
    after = error.error.code
json.dump({"made": made, "shown": shown, "updated": updated, "credentials": credentials, "listed": listed,
    "after": after}, sys.stdout)
`;

test("creates a cluster, waits for it, shows, changes, lists and deletes it", {
  timeout: 240_000,
}, async () => {
  await using world = await AzWorld.start("--subnets-for", "python");
  const { subscriptionId, tenantId, clientId, clientSecret } = world.endpoints;
  await using client = new ArmClient(world.state.file("endpoints.json"));
  const cluster = exampleRequest("20250725", await client.clusterVariables("python"));
  const child = spawn(python, ["-c", program], {
    env: { PATH: process.env.PATH, ...world.environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(JSON.stringify({ subscriptionId, tenantId, clientId, clientSecret, cluster }));
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  assert.equal(code, 0, stderr);
  const seen = JSON.parse(stdout);
  assert.equal(seen.made.properties?.provisioningState ?? seen.made.provisioning_state, "Succeeded");
  assert.equal(seen.shown.name, "python");
  assert.deepEqual(seen.updated.tags, { by: "python" });
  assert.deepEqual(seen.listed, ["python"]);
  assert.match(JSON.stringify(seen.credentials), /kubeadmin/);
  assert.equal(seen.after, "ResourceNotFound");
});
