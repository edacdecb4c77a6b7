import { formatAddress, parseAddress } from "../../network/cidr.ts";
import { type Arguments, type Functions, takes } from "./signature.ts";

/** IPv4 network functions, by lower-case name. */
export const networkFunctions: Functions = {
  parsecidr: takes(1, 1, (args) => {
    const { first, size, length } = network(args);
    const isSmall = size <= 2;
    return {
      network: formatAddress(first),
      netmask: formatAddress(length === 0 ? 0 : 2 ** 32 - size),
      broadcast: formatAddress(first + size - 1),
      firstUsable: formatAddress(isSmall ? first : first + 1),
      lastUsable: formatAddress(isSmall ? first + size - 1 : first + size - 2),
      cidr: length,
    };
  }),
  cidrsubnet: takes(3, 3, (args) => {
    const { first, length } = network(args);
    const [newLength, index] = [args.int(1), args.int(2)];
    if (newLength < length || newLength > 32)
      args.fail(`the new CIDR '${newLength}' must be between ${length} and 32`);
    const count = 2 ** (newLength - length);
    if (index < 0 || index >= count)
      args.fail(`the subnet index '${index}' must be between 0 and ${count - 1}`);
    return `${formatAddress(first + index * 2 ** (32 - newLength))}/${newLength}`;
  }),
  cidrhost: takes(2, 2, (args) => {
    const { first, size } = network(args);
    const index = args.int(1);
    // Host 0 is the second address, because the first address is the network address.
    if (index < 0 || index + 1 >= size) args.fail(`the host index '${index}' is out of the network`);
    return formatAddress(first + index + 1);
  }),
};

/** Parses the first argument as a network. Host bits are ignored. */
function network(args: Arguments): {
  readonly first: number;
  readonly size: number;
  readonly length: number;
} {
  const text = args.text(0);
  const [, address = "", bits = ""] = /^([\d.]+)\/(\d|[12]\d|3[0-2])$/.exec(text) ?? [];
  const value = parseAddress(address);
  if (value === undefined || bits === "") return args.fail(`'${text}' is not a network of IPv4`);
  const length = Number(bits);
  const size = 2 ** (32 - length);
  return { first: value - (value % size), size, length };
}
