import { CloudError } from "@keelson/arm";
import { externalBilling } from "../external-billing.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

export const getBilling: Route = {
  method: "GET",
  path: paths.billingDocument,
  versions: uncheckedVersion,
  authorization: "caller",
  async handle(exchange, { database }) {
    const id = exchange.parameter("billingDocumentId");
    const stored = await database.collections.billing.findBy(undefined, "documentId", id, exchange.signal);
    if (!stored)
      throw new CloudError("NotFound", `billing document not found: there is none with ID '${id}'`);
    return { status: 200, body: externalBilling(stored.document) };
  },
};
