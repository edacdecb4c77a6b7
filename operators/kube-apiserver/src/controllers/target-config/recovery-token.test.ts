import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { recoveryTokenProblem } from "./recovery-token.ts";

const account = (uid: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { namespace: "n", name: "localhost-recovery-client", uid },
});
const token = (uid: string | undefined, data?: object): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: {
    namespace: "n",
    name: "t",
    ...(uid === undefined ? {} : { annotations: { "kubernetes.io/service-account.uid": uid } }),
  },
  ...(data ? { data } : {}),
});
const subject = "secret n/t hasn't been populated with";

const rows: readonly (readonly [Parameters<typeof recoveryTokenProblem>, string | undefined])[] = [
  [[undefined, undefined], 'serviceaccounts "localhost-recovery-client" not found'],
  [[account("1"), undefined], 'secrets "localhost-recovery-client-token" not found'],
  [[account("1"), token(undefined)], `${subject} SA token yet: missing SA UID`],
  [[account("1"), token("2")], `${subject} current SA token yet: SA UID mismatch`],
  [[account("1"), token("1")], `${subject} any data yet`],
  [[account("1"), token("1", { "ca.crt": "x" })], `${subject} current SA token yet`],
  [[account("1"), token("1", { token: "x" })], `${subject} current SA token root CA yet`],
  [[account("1"), token("1", { token: "x", "ca.crt": "x" })], undefined],
];
for (const [args, problem] of rows)
  test(problem ?? "a token that is complete", () => assert.equal(recoveryTokenProblem(...args), problem));
