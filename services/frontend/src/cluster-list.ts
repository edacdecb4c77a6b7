import type { Answer } from "./answer.ts";
import { clusterListText } from "./cluster-text.ts";
import type { Exchange } from "./exchange.ts";
import { linkAfter, openToken } from "./paging.ts";
import type { Service } from "./service.ts";

const pageSize = 10;

/** Which clusters: of a subscription, or with keys that begin with a text; all where neither is given. */
export interface ListScope {
  readonly subscriptionId?: string;
  readonly prefix?: string;
}

/** One page of clusters, in the order of their keys. */
export async function listClusters(
  exchange: Exchange,
  service: Service,
  { subscriptionId, prefix }: ListScope,
): Promise<Answer> {
  const continuation = openToken(exchange, service);
  const query = {
    ...(subscriptionId ? { partitionKey: subscriptionId } : {}),
    ...(prefix ? { prefix: { key: "key", value: prefix } } : {}),
    orderBy: "key",
    limit: pageSize,
    ...(continuation === undefined ? {} : { continuation }),
  };
  const page = await service.database.collections.clusters.list(query, exchange.signal);
  const clusters = await Promise.all(
    page.items.map(({ document }) => service.live.look(document, exchange.signal)),
  );
  const next = linkAfter(page, exchange, service);
  return { status: 200, rendered: clusterListText(exchange.version, clusters, next) };
}
