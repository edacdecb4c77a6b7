import assert from "node:assert/strict";
import { test } from "node:test";
import { missingAction, type Permission } from "./permissions.ts";

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
    name: "what a role leaves out another one may give",
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
