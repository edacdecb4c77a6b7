import { CloudError } from "@keelson/arm";
import { replace, type Stored } from "@keelson/database";
import { cancelManifest, type MaintenanceManifestDocument } from "@keelson/model";
import { paths } from "../http/messages/paths.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import type { Service } from "../service/service.ts";

const pageSize = 50;

/**
 * Cancels all manifests of a maintenance schedule that have not started. A manifest that an actuator starts at the same time is
 * skipped. If a write fails, the response is an error.
 */
export const cancelManifestsOfSchedule: Route = {
  method: "POST",
  path: paths.cancelManifests,
  versions: uncheckedVersion,
  async handle(request, service) {
    // IDs of schedules are in lower case.
    const createdBySchedule = (request.query("scheduleID") ?? "").toLowerCase();
    if (createdBySchedule === "") {
      throw new CloudError("InvalidParameter", "Parameter is missing", { target: "scheduleID" });
    }
    const { manifests } = service.database.collections;
    const counts = { cancelled: 0, errors: 0 };
    let continuation: string | undefined;
    do {
      const page = await manifests.list(
        {
          where: { createdBySchedule, state: "Pending" },
          limit: pageSize,
          continuation,
        },
        request.signal,
      );
      for (const stored of page.items) {
        const result = await cancel(stored, request, service);
        if (result !== "begun") counts[result]++;
      }
      continuation = page.continuation;
    } while (continuation !== undefined);
    return { status: 200, body: counts };
  },
};

const attempts = 3;

async function cancel(
  first: Stored<MaintenanceManifestDocument>,
  { signal }: RequestContext,
  { database }: Service,
): Promise<"cancelled" | "errors" | "begun"> {
  const { manifests } = database.collections;
  const { partitionKey, id } = first.document;
  let stored: Stored<MaintenanceManifestDocument> | undefined = first;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    if (stored?.document.maintenanceManifest.state !== "Pending") return "begun";
    const write = replace(manifests, stored, cancelManifest(stored.document));
    const result = await database.commit(partitionKey, [write], { signal });
    if (result.kind === "committed") return "cancelled";
    stored = await manifests.find(partitionKey, id, signal);
  }
  return "errors";
}
