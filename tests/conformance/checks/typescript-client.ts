import assert from "node:assert/strict";
import type { Check } from "../support/check.ts";
import { armsClient, ofTheClient as name, strangersClient } from "../support/typescript-client.ts";
import { theWorld } from "../support/world.ts";

/** Checks of cluster operations with the client in `clients/typescript`, from creation to deletion. */
export const clientChecks: readonly Check[] = [
  {
    id: "api 28a",
    what: "the TypeScript client follows the creation of a cluster, shows it and lists it with others",
    async run(service) {
      const { openShiftClusters } = armsClient(service);
      const { begun, created } = theWorld().byClient;
      assert.equal(begun.properties?.provisioningState, "Creating");
      assert.equal(created.properties?.provisioningState, "Succeeded");
      assert.match(created.properties.apiserverProfile?.url ?? "", /^https:/);
      assert.deepEqual(await openShiftClusters.get(name, name), created);
      const pages = await Array.fromAsync(openShiftClusters.list().byPage());
      assert.ok(pages.length > 1, "there are more clusters than a page holds");
      assert.ok(pages.flat().some(({ id }) => id === created.id));
      const ofGroup = await Array.fromAsync(openShiftClusters.listByResourceGroup(name));
      assert.deepEqual(
        ofGroup.map(({ id }) => id),
        [created.id],
      );
    },
  },
  {
    id: "api 28b",
    what: "the TypeScript client sends back what it read with other tags, and deletes the cluster",
    async run(service) {
      const { openShiftClusters } = armsClient(service);
      const read = await openShiftClusters.get(name, name);
      const tags = { changed: "by the client" };
      const updated = await openShiftClusters.update(name, name, { ...read, tags });
      assert.deepEqual(updated.tags, tags);
      assert.deepEqual(updated.properties, read.properties);
      await openShiftClusters.delete(name, name);
      await assert.rejects(openShiftClusters.get(name, name), {
        name: "RestError",
        statusCode: 404,
        code: "ResourceNotFound",
      });
    },
  },
  {
    id: "api 28c",
    what: "without a caller's certificate the TypeScript client is rejected",
    async run(service) {
      const { openShiftClusters } = strangersClient(service);
      await assert.rejects(openShiftClusters.get(name, name), {
        name: "RestError",
        statusCode: 403,
        code: "Forbidden",
      });
    },
  },
];
