import { CloudError } from "@keelson/arm";
import type { BillingDocument } from "@keelson/model";
import { paths } from "../http/messages/paths.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import { pageOf } from "../http/paging.ts";
import type { Route } from "../http/route.ts";

const pageSize = 10;

/** Lists the billing periods of clusters, including deleted clusters. */
export const listBilling: Route = {
  method: "GET",
  path: paths.billing,
  versions: uncheckedVersion,
  handle(request, service) {
    const { billing } = service.database.collections;
    return pageOf(
      request,
      service,
      (position) => billing.list({ limit: pageSize, ...position }, request.signal),
      externalBilling,
    );
  },
};

export const getBilling: Route = {
  method: "GET",
  path: paths.billingDocument,
  versions: uncheckedVersion,
  async handle(request, { database }) {
    const id = request.parameter("billingDocumentId");
    const stored = await database.collections.billing.findBy(undefined, "documentId", id, request.signal);
    if (!stored)
      throw new CloudError("NotFound", `billing document not found: there is none with ID '${id}'`);
    return { status: 200, body: externalBilling(stored.document) };
  },
};

/** Returns a billing entry in the admin API format. */
function externalBilling({ id, key, clusterResourceGroupIDKey, infraId, billing }: BillingDocument): object {
  return {
    id,
    key,
    clusterResourceGroupIDKey,
    ...(infraId === undefined ? {} : { infraId }),
    billing: {
      creationTime: billing.creationTime,
      ...(billing.deletionTime === undefined ? {} : { deletionTime: billing.deletionTime }),
      ...(billing.lastBillingTime === undefined ? {} : { lastBillingTime: billing.lastBillingTime }),
      location: billing.location,
      ...(billing.tenantID === undefined ? {} : { tenantID: billing.tenantID }),
    },
  };
}
