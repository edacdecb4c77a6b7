import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { Metrics, silentLogger, stringAt } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { resources } from "@keelson/kube";
import { StoredObjects } from "@keelson/operator-kit/testing";
import type { OperatorContext } from "../../runtime/operator-context.ts";
import { configObject } from "../../testing/observe.ts";
import { certificateRotations } from "./controller.ts";

const signal = new AbortController().signal;
const version = "4.19.1";
const hourMs = 3_600_000;
const client = { namespace: "openshift-kube-apiserver", name: "aggregator-client" };

const gates = (gatesVersion: string, enabled: readonly string[]) =>
  configObject("FeatureGate", {
    status: {
      featureGates: [{ version: gatesVersion, enabled: enabled.map((name) => ({ name })), disabled: [] }],
    },
  });

test("the feature gate ShortCertRotation of the operator's version sets the validity and the renewal of certificates", async () => {
  const clock = new ManualClock();
  const store = new StoredObjects();
  let featureGate = gates("4.18.0", ["ShortCertRotation"]);
  const context = {
    api: store,
    cache: {
      known: (...[resource, key]: Parameters<StoredObjects["peek"]>) => ({
        object: resource === resources.featureGates ? featureGate : store.peek(resource, key),
      }),
    },
    clock,
    expiry: new Metrics().gauge({ name: "end", help: "x", labels: ["namespace", "name"] }),
    events: { report: () => undefined },
    operator: { mergeConditions: async () => undefined },
  } as unknown as OperatorContext;
  const { reconcile } = certificateRotations(version);
  const rotated = async () => {
    await reconcile({ name: "AggregatorProxyClientCert" }, context, { signal, logger: silentLogger });
    const pem = stringAt(store.peek(resources.secrets, client), "data", "tls.crt") ?? "";
    const { validFromDate, validToDate, serialNumber } = new X509Certificate(Buffer.from(pem, "base64"));
    return { hours: Math.round((validToDate.getTime() - validFromDate.getTime()) / hourMs), serialNumber };
  };

  const first = await rotated();
  assert.equal(first.hours, 30 * 24);
  await clock.advance(2 * hourMs);
  assert.deepEqual(await rotated(), first);

  featureGate = gates(version, ["ShortCertRotation"]);
  await rotated(); // renews the signer; the target waits until clients trust the new signer
  await clock.advance(hourMs / 2);
  const short = await rotated();
  assert.equal(short.hours, 2);
  await clock.advance(1.2 * hourMs);
  await rotated();
  await clock.advance(hourMs / 2);
  assert.notEqual((await rotated()).serialNumber, short.serialNumber);
});
