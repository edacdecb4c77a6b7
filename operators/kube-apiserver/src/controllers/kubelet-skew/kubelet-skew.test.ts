import assert from "node:assert/strict";
import { test } from "node:test";
import { kubeletSkew } from "./kubelet-skew.ts";

const even = { openShift: "4.18.0", apiServer: "1.31.4" };
const odd = { openShift: "4.19.24", apiServer: "1.32.9" };
const nodes = (...versions: readonly string[]) =>
  versions.map((version, index) => ({ node: `n${index}`, version }));

const rows: readonly (readonly [string, Parameters<typeof kubeletSkew>, string, string, string])[] = [
  ["none", [[], odd], "True", "KubeletMinorVersionsSynced", "Kubelet and API server versions are synced."],
  [
    "same minor",
    [nodes("v1.32.1", "v1.32.9"), odd],
    "True",
    "KubeletMinorVersionsSynced",
    "Kubelet and API server versions are synced.",
  ],
  [
    "acceptance 27: one behind on an even version",
    [nodes("v1.30.2"), even],
    "False",
    "KubeletMinorVersionUnsupportedNextUpgrade",
    "Kubelet version (1.30.2) on node n0 will not be supported in the next OpenShift version upgrade.",
  ],
  [
    "one behind on an odd version",
    [nodes("v1.31.2"), odd],
    "True",
    "KubeletMinorVersionSupportedNextUpgrade",
    "Kubelet version (1.31.2) on node n0 is behind the expected API server version; nevertheless, it will continue to be supported in the next OpenShift version upgrade.",
  ],
  [
    "two behind on an odd version",
    [nodes("v1.30.2"), odd],
    "False",
    "KubeletMinorVersionUnsupported",
    "Unsupported Kubelet version (1.30.2) on node n0 is too far behind the target API server version (1.32.9).",
  ],
  [
    "ahead, two nodes",
    [nodes("v1.33.0", "v1.33.1"), odd],
    "Unknown",
    "KubeletMinorVersionAhead",
    "Unsupported Kubelet versions on nodes n0 and n1 are ahead of the target API server version (1.32.9).",
  ],
  [
    "three too old",
    [nodes("v1.20.0", "v1.20.0", "v1.20.0"), odd],
    "False",
    "KubeletMinorVersionUnsupported",
    "Unsupported Kubelet versions on nodes n0, n1, and n2 are too far behind the target API server version (1.32.9).",
  ],
  [
    "five unknown",
    [nodes("", "x", "1", "1.2", "v"), odd],
    "Unknown",
    "KubeletVersionUnknown",
    "Unable to determine the kubelet version on 5 nodes.",
  ],
  [
    "one unknown",
    [nodes("devel"), odd],
    "Unknown",
    "KubeletVersionUnknown",
    "Unable to determine the kubelet version on node n0: No Major.Minor.Patch elements found",
  ],
];
for (const [name, args, status, reason, message] of rows)
  test(name, () =>
    assert.deepEqual(kubeletSkew(...args), {
      type: "KubeletMinorVersionUpgradeable",
      status,
      reason,
      message,
    }),
  );

test("OpenShift 5 allows kubelets one, two, then three minor versions behind", () => {
  for (const [openShift, lag] of [
    ["5.0.0", 1],
    ["5.1.0", 2],
    ["5.2.0", 3],
    ["5.3.0", 1],
  ] as const) {
    const reasonAt = (behind: number) =>
      kubeletSkew(nodes(`v1.${40 - behind}.0`), { openShift, apiServer: "1.40.0" }).reason;
    assert.notEqual(reasonAt(lag), "KubeletMinorVersionUnsupported", openShift);
    assert.equal(reasonAt(lag + 1), "KubeletMinorVersionUnsupported", openShift);
  }
});
