import { CloudError, nextLink } from "@keelson/arm";
import type { Document, ListPage } from "@keelson/database";
import type { Answer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import type { Service } from "./service.ts";

const tokenName = "$skipToken";

/** One page of a list, with the way to the next: `nextLink` has a token that continues this list only. */
export async function pageOf<T extends Document>(
  exchange: Exchange,
  service: Service,
  read: (position: { readonly continuation?: string }) => Promise<ListPage<T>>,
  external: (document: T) => object,
): Promise<Answer> {
  const continuation = openToken(exchange, service);
  const page = await read(continuation === undefined ? {} : { continuation });
  const value = page.items.map((item) => external(item.document));
  const next = linkAfter(page, exchange, service);
  return { status: 200, body: { value, ...(next === undefined ? {} : { nextLink: next }) } };
}

/** Where the list goes on after `page`; `undefined` where it ends. */
export function linkAfter(
  { continuation }: Pick<ListPage<Document>, "continuation">,
  exchange: Exchange,
  { sealer }: Service,
): string | undefined {
  if (continuation === undefined) return undefined;
  return nextLink(exchange.callerUrl(), sealer.seal(continuation, exchange.path));
}

/** A token is bound to the path it was made for: it continues no other list. */
export function openToken(exchange: Exchange, { sealer }: Service): string | undefined {
  const token = exchange.query(tokenName);
  if (!token) return undefined;
  const continuation = sealer.open(token, exchange.path);
  if (continuation !== undefined) return continuation;
  throw new CloudError(
    "InvalidParameter",
    `The provided ${tokenName} is invalid. Start the list anew without it.`,
    { target: tokenName },
  );
}

const usualLimit = 100;
const largestLimit = 1_000;

/** The query parameter `limit` of administrators' lists; 100 where it is absent or no number. */
export function limitOf(exchange: Exchange): number {
  const text = exchange.query("limit") ?? "";
  if (!/^\d{1,9}$/.test(text)) return usualLimit;
  return Math.min(largestLimit, Math.max(1, Number(text)));
}
