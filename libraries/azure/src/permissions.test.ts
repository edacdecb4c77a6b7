import assert from "node:assert/strict";
import { test } from "node:test";
import { missingAction, type Permission, permissionsOn } from "./permissions.ts";

const read = "Microsoft.Network/virtualNetworks/read";
const join = "Microsoft.Network/virtualNetworks/join/action";

const cases: readonly {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly missing: string | undefined;
}[] = [
  { name: "no role allows nothing", permissions: [], missing: read },
  { name: "a star allows all", permissions: [{ actions: ["*"] }], missing: undefined },
  { name: "a star stands for segments", permissions: [{ actions: ["*/read"] }], missing: join },
  {
    name: "roles add up",
    permissions: [{ actions: ["*/read"] }, { actions: ["microsoft.network/VIRTUALNETWORKS/join/*"] }],
    missing: undefined,
  },
  {
    name: "an action that one role excludes may be granted by a second role",
    permissions: [{ actions: ["*"], notActions: ["*/action"] }, { actions: [join] }],
    missing: undefined,
  },
  {
    name: "what a role leaves out it does not give",
    permissions: [{ actions: ["*"], notActions: ["Microsoft.Network/*"] }],
    missing: read,
  },
  { name: "a dot is a dot", permissions: [{ actions: ["MicrosoftXNetwork/*"] }], missing: read },
];
for (const { name, permissions, missing } of cases) {
  test(name, () => assert.equal(missingAction(permissions, [read, join]), missing));
}

test("the permissions on a resource are read page by page", async () => {
  const id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/n";
  const asked: unknown[] = [];
  const get = async (path: string, query: Readonly<Record<string, string>>) => {
    asked.push([path, query]);
    return query.$skiptoken
      ? { value: [{ actions: [join] }, null] }
      : { value: [{ actions: [read] }], nextLink: `https://arm.example${path}?api-version=v&$skiptoken=2` };
  };
  const { signal } = new AbortController();
  const permissions = await permissionsOn({ raw: { get } }, id, signal);
  assert.deepEqual(permissions, [{ actions: [read] }, { actions: [join] }]);
  const path = `${id}/providers/Microsoft.Authorization/permissions`;
  assert.deepEqual(asked, [
    [path, { "api-version": "2022-04-01" }],
    [path, { "api-version": "v", $skiptoken: "2" }],
  ]);
  await assert.rejects(permissionsOn({ raw: { get } }, "/subscriptions/s", signal), TypeError);
});
