import { CloudError, nextLink } from "@keelson/arm";
import { toExternal } from "@keelson/model";
import type { Answer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import type { Service } from "./service.ts";

const pageSize = 10;
const tokenName = "$skipToken";

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
  const page = await service.database.collections.clusters.list(
    {
      ...(subscriptionId ? { partitionKey: subscriptionId } : {}),
      ...(prefix ? { prefix: { key: "key", value: prefix } } : {}),
      orderBy: "key",
      limit: pageSize,
      ...(continuation ? { continuation } : {}),
    },
    exchange.signal,
  );
  const value = page.items.map((item) =>
    toExternal(exchange.version, item.document.openShiftCluster, "read"),
  );
  if (!page.continuation) return { status: 200, body: { value } };
  const token = service.sealer.seal(page.continuation, exchange.path);
  return { status: 200, body: { value, nextLink: nextLink(exchange.callerUrl(), token) } };
}

/** A token is bound to the path it was made for: it continues no other list. */
export function openToken(exchange: Exchange, service: Service): string | undefined {
  const token = exchange.query(tokenName);
  if (!token) return undefined;
  const continuation = service.sealer.open(token, exchange.path);
  if (continuation !== undefined) return continuation;
  throw new CloudError(
    "InvalidParameter",
    `The provided ${tokenName} is invalid. Start the list anew without it.`,
    {
      target: tokenName,
    },
  );
}
