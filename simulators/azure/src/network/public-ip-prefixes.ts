import { badRequest } from "../arm/arm-error.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { referrerIds } from "../arm/resources.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, withProperties } from "../base/json.ts";
import { formatAddress, overlap, parsePrefix } from "./cidr.ts";
import { resourceName } from "./names.ts";

/** Address pool of prefixes. It does not overlap with the pool of single addresses. */
const pool = parsePrefix("20.80.0.0/12");

export const publicIPPrefixes: ResourceType = {
  namespace: "Microsoft.Network",
  type: "publicIPPrefixes",
  etag: "weak",
  names: resourceName,
  readOnly: ["ipPrefix", "publicIPAddresses", "resourceGuid"],
  inUse: (record, by) =>
    badRequest(
      "InUsePublicIpPrefixCannotBeDeleted",
      `Public IP prefix ${record.id} cannot be deleted since it is in use by ${referrerIds(by)}.`,
    ),
  prepare({ name, body, existing }, subscription) {
    const prefixLength = at(body, "properties", "prefixLength");
    const before = at(existing?.body, "properties", "prefixLength") ?? prefixLength;
    if (typeof prefixLength !== "number" || !Number.isInteger(prefixLength) || prefixLength < 24) {
      throw invalidLength(name, prefixLength);
    }
    if (prefixLength > 31 || before !== prefixLength) throw invalidLength(name, prefixLength);
    return {
      body: {
        ...withProperties(body, {
          publicIPAddressVersion: "IPv4",
          ipTags: at(body, "properties", "ipTags") ?? [],
          ipPrefix:
            nonEmptyStringAt(existing?.body, "properties", "ipPrefix") ??
            freePrefix(prefixLength, subscription),
        }),
        sku: { name: "Standard", tier: "Regional" },
      },
    };
  },
  render(record, subscription) {
    const publicIPAddresses = subscription.resources
      .referrers(record.id)
      .filter(({ from }) => /\/publicIPAddresses\//i.test(from))
      .map(({ from }) => ({ id: from }));
    return withProperties(record.body, { publicIPAddresses });
  },
};

function freePrefix(length: number, subscription: Subscription): string {
  const taken = subscription.resources
    .ofType("Microsoft.Network/publicIPPrefixes")
    .map((each) => parsePrefix(nonEmptyStringAt(each.body, "properties", "ipPrefix") ?? ""))
    .filter((range) => range !== undefined);
  const size = 2 ** (32 - length);
  for (let first = pool?.first ?? 0; pool && first + size - 1 <= pool.last; first += size) {
    const range = { first, last: first + size - 1 };
    if (!taken.some((each) => overlap(each, range))) return `${formatAddress(first)}/${length}`;
  }
  throw badRequest(
    "PublicIPPrefixCountLimitReached",
    "Cannot create more public IP prefixes for this subscription.",
  );
}

function invalidLength(name: string, length: unknown): Error {
  return badRequest(
    "InvalidPublicIpPrefixLength",
    `The length '${String(length)}' of public IP prefix ${name} is not from 24 to 31, or not the one it was made with.`,
  );
}
