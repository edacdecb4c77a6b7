import assert from "node:assert/strict";
import { test } from "node:test";
import { formatByteQuantity } from "./quantity.ts";

for (const [quantity, expected] of [
  ["133682156Ki", "127 GiB"],
  ["32848476Ki", "31.3 GiB"],
  ["1023Mi", "1020 MiB"],
  ["16Gi", "16 GiB"],
  ["1.5Gi", "1.5 GiB"],
  ["64G", "59.6 GiB"],
  ["0", "0 B"],
  ["512", "512 B"],
  ["about 5", "about 5"],
  ["-1Ki", "-1Ki"],
  ["", ""],
] as const)
  test(`the quantity ${JSON.stringify(quantity)} is shown as ${JSON.stringify(expected)}`, () => {
    assert.equal(formatByteQuantity(quantity), expected);
  });
