import assert from "node:assert/strict";
import type { Check } from "../support/check.ts";
import { until } from "../support/until.ts";

/** Checks of the service through the simulated Azure Resource Manager, like customers use it. */
export const throughArmChecks: readonly Check[] = [
  {
    id: "arm 1",
    what: "a cluster is updated through Azure Resource Manager, which says who did it",
    async run(service) {
      const path = service.id("plugin");
      const updated = await service.azure("PATCH", path, "2025-07-25", { tags: { through: "arm" } });
      assert.deepEqual(updated.tags, { through: "arm" });
      assert.equal(updated.systemData.lastModifiedByType, "Application");
      assert.match(updated.systemData.lastModifiedBy, /^[0-9a-f-]{36}$/);
      await until(async () => {
        const { provisioningState } = (await service.azure("GET", path, "2025-07-25")).properties;
        if (provisioningState === "Succeeded") return true;
        assert.equal(provisioningState, "Updating");
        return false;
      });
    },
  },
  {
    id: "arm 2",
    what: "clusters are among the resources of their group",
    async run(service) {
      const group = `/subscriptions/${service.subscriptionId}/resourceGroups/plugin`;
      const { value } = await service.azure("GET", `${group}/resources`);
      assert.deepEqual(
        value.map(({ id }: { id: string }) => id),
        [service.id("plugin")],
      );
    },
  },
];
