import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AzureClients } from "@keelson/azure";
import { type ClusterProperties, type MasterHostKeys, withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import type { ClusterContext } from "../context/context.ts";
import { offlineContext } from "../testing/offline-context.ts";
import { hostKeysIn, recordMasterHostKeys } from "./master-host-keys.ts";

const key = (letter: string) => `SHA256:${letter.repeat(43)}`;

test("host keys are read off a serial console, each once", () => {
  const boot = [
    "Ignition: ran",
    `SSH host key: ${key("A")} (ECDSA)`,
    `SSH host key: ${key("B")} (ED25519)`,
    "login:",
  ];
  assert.deepEqual(hostKeysIn([...boot, ...boot].join("\n")), [key("A"), key("B")]);
});

test("similar lines are not host keys", () => {
  for (const line of [
    `x SSH host key: ${key("A")} (RSA)`,
    "SSH host key: SHA256:AAAA (RSA)",
    `SSH host key: ${key("A")}`,
    `SSH host key: MD5:${"a".repeat(43)} (RSA)`,
  ])
    assert.deepEqual(hostKeysIn(line), [], line);
});

test("of a machine that made new keys, the newest count", () => {
  const lines = [..."ABCDEFGH"].map((letter) => `SSH host key: ${key(letter)} (RSA)`);
  assert.deepEqual(hostKeysIn(lines.join("\n")), [..."CDEFGH"].map(key));
});

describe("recording of masters' host keys", () => {
  const line = (letter: string) => `SSH host key: ${key(letter)} (RSA)\r\n`;
  const nameOf = (master: number) => `demo-x1x2x-master-${master}`;
  const recorded = (master: number, ...letters: readonly string[]): MasterHostKeys => ({
    master,
    vmName: nameOf(master),
    fingerprints: letters.map(key),
  });

  /** Serial console output of each machine. Undefined if Azure has no log. */
  type Consoles = Readonly<Record<string, readonly string[] | Error | undefined>>;

  function contextOf(
    consoles: Consoles,
    properties: Partial<ClusterProperties> = {},
    signal: AbortSignal = AbortSignal.timeout(900_000),
  ): ClusterContext {
    const azure = {
      call: () => ({}),
      compute: {
        virtualMachines: {
          async *list() {
            for (const name of Object.keys(consoles)) yield { name };
          },
          async retrieveBootDiagnosticsData(_group: string, name: string) {
            const console = consoles[name];
            if (console instanceof Error) throw console;
            return console ? { serialConsoleLogBlobUri: name } : {};
          },
        },
      },
      raw: {
        async *download(name: string) {
          const console = consoles[name];
          for (const chunk of Array.isArray(console) ? console : []) yield Buffer.from(chunk);
        },
      },
    };
    const cluster = withProperties(newCluster({ name: "demo" }), { infraId: "demo-x1x2x", ...properties });
    return offlineContext({ cluster, signal, change: { azure: azure as unknown as AzureClients } });
  }

  const keysOf = ({ cluster }: ClusterContext) => cluster.properties.masterHostKeys;

  test("each master's are stored, in the order of masters, and no other machine's", async () => {
    const context = contextOf({
      [nameOf(2)]: ["boot\r\n", line("C")],
      [nameOf(0)]: [line("A"), line("B")],
      "demo-x1x2x-worker-eastus1-abcde": [line("W")],
      "demo-x1x2x-bootstrap": [line("X")],
      "demo-x1x2x-master-7": [line("Y")],
    });
    await recordMasterHostKeys(context);
    assert.deepEqual(keysOf(context), [recorded(0, "A", "B"), recorded(2, "C")]);
  });

  test("a master without a printed key, or without a readable log, keeps the stored key; a new key replaces it", async () => {
    const masterHostKeys = [recorded(0, "A"), recorded(1, "B"), recorded(2, "C")];
    const context = contextOf(
      { [nameOf(0)]: undefined, [nameOf(1)]: new Error("no diagnostics"), [nameOf(2)]: [line("D")] },
      { masterHostKeys },
    );
    await recordMasterHostKeys(context);
    assert.deepEqual(keysOf(context), [recorded(0, "A"), recorded(1, "B"), recorded(2, "D")]);
  });

  test("of a console without an end the newest four megabytes count", async () => {
    const megabyte = "x".repeat(2 ** 20 - 1);
    const context = contextOf({
      [nameOf(0)]: [line("A"), ...Array.from({ length: 6 }, () => `${megabyte}\n`), line("B")],
    });
    await recordMasterHostKeys(context);
    assert.deepEqual(keysOf(context), [recorded(0, "B")]);
  });

  test("nothing is written where nothing is found, and an end of the operation is no missing key", async () => {
    const context = contextOf({ [nameOf(0)]: ["login:"] });
    const before = context.cluster;
    await recordMasterHostKeys(context);
    assert.equal(context.cluster, before);
    const stopped = contextOf(
      { [nameOf(0)]: new Error("aborted") },
      {},
      AbortSignal.abort(new Error("lease lost")),
    );
    await assert.rejects(recordMasterHostKeys(stopped), /lease lost/);
  });
});
