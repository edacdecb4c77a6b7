import assert from "node:assert/strict";
import { test } from "node:test";
import { sendable } from "./body-members.ts";

const read = {
  id: "/x",
  tags: { a: "b" },
  properties: {
    list: [{ ip: "1", name: "n" }],
    map: { k: { id: "2", resource: "r" } },
    url: null,
    status: [1],
  },
};
const cases = [
  {
    name: "only known members",
    sends: { members: ["tags"], readOnly: [] },
    sent: { tags: { a: "b" } },
  },
  {
    name: "nothing of the service's own, in lists and maps as well",
    sends: {
      members: ["tags", "properties"],
      readOnly: [
        "properties.status",
        "properties.list.*.ip",
        "properties.map.*.id",
        "properties.url.x",
        "tags.a.b",
      ],
    },
    sent: {
      tags: { a: "b" },
      properties: { list: [{ name: "n" }], map: { k: { resource: "r" } }, url: null },
    },
  },
  {
    name: "a list for what is no list stays",
    sends: { members: ["properties"], readOnly: ["properties.list.name"] },
    sent: { properties: read.properties },
  },
];
for (const { name, sends, sent } of cases) {
  test(`a request has ${name}`, () => {
    const before = structuredClone(read);
    assert.deepEqual(sendable(read, sends), sent);
    assert.deepEqual(read, before, "the value of the caller stays as it was");
  });
}
