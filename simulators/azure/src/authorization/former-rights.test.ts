import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret, silentLogger, systemClock } from "@keelson/base";
import { Directory } from "../entra/directory.ts";
import { registerPrincipal, seedDirectory, seededId } from "../entra/seed-directory.ts";
import { openSubscription } from "../open-subscription.ts";
import { BlobFiles } from "../storage/blob-files.ts";
import { Store } from "../store/store.ts";
import { subscriptionId, tenantId } from "../testing/test-azure.ts";
import { keepFormerRights } from "./former-rights.ts";
import { rightsAt } from "./rights.ts";

const scope = `/subscriptions/${subscriptionId}`;

test("principals of an earlier version's state keep all rights except for the reader, new principals do not", async () => {
  const store = Store.inMemory();
  const options = {
    tenantId,
    subscriptionId,
    locations: ["eastus"],
    clock: systemClock,
    logger: silentLogger,
  };
  const subscription = openSubscription(store, new BlobFiles(), options);
  await using _ = subscription.operations;
  const directory = new Directory(store);
  const register = (clientId: string) => {
    registerPrincipal(directory, tenantId, {
      clientId,
      clientSecret: new Secret("s"),
      displayName: clientId,
    });
    return { clientId, objectId: directory.find(clientId)?.objectId ?? "" };
  };
  const user = (name: "administrator" | "reader") => {
    const objectId = seededId(tenantId, name);
    return { clientId: "azure-cli", objectId, userPrincipalName: name };
  };
  const [former, later] = store.transaction(() => {
    const found = register("former");
    seedDirectory(directory, tenantId);
    keepFormerRights(subscription, directory);
    const made = register("later");
    keepFormerRights(subscription, directory);
    return [found, made];
  });
  assert.equal(rightsAt(subscription, former, scope).length, 1);
  assert.equal(rightsAt(subscription, user("administrator"), scope).length, 1);
  assert.deepEqual(rightsAt(subscription, user("reader"), scope), []);
  assert.deepEqual(rightsAt(subscription, later, scope), []);
  store.transaction(() => void subscription.settings.change({ rights: null }));
  assert.deepEqual(rightsAt(subscription, former, scope), []);
});
