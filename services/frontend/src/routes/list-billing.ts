import { externalBilling } from "../external-billing.ts";
import { pageOf } from "../paging.ts";
import type { Route } from "../route.ts";
import { uncheckedVersion } from "../version-rule.ts";
import { paths } from "./paths.ts";

const pageSize = 10;

/** From when to when which clusters cost something, also those that are gone. */
export const listBilling: Route = {
  method: "GET",
  path: paths.billing,
  versions: uncheckedVersion,
  authorization: "caller",
  handle(exchange, service) {
    const { billing } = service.database.collections;
    return pageOf(
      exchange,
      service,
      (position) => billing.list({ limit: pageSize, ...position }, exchange.signal),
      externalBilling,
    );
  },
};
