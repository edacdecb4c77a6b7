import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { connect as connectTls } from "node:tls";
import {
  authorizeBy,
  type FollowedAuthorizer,
  followedAuthorizer,
  isAdminRequest,
  listedCertificates,
} from "@keelson/auth";
import { issueCertificate, type KeyPair, systemClock } from "@keelson/base";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const operations = "/providers/Microsoft.RedHatOpenShift/operations";
const cluster =
  "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/g/providers/Microsoft.RedHatOpenShift/openShiftClusters/c";

function certificateFor(authority: KeyPair, commonName: string): Promise<KeyPair> {
  return issueCertificate(authority, { commonName, usage: "client", validDays: 1 });
}

describe("over TLS", () => {
  let frontend: TestFrontend;
  let arm: KeyPair;
  let admin: KeyPair;
  let stranger: KeyPair;

  before(async () => {
    frontend = await startTestFrontend({
      async authorizer(authority) {
        arm = await certificateFor(authority, "arm");
        admin = await certificateFor(authority, "admin");
        stranger = await certificateFor(authority, "arm");
        return authorizeBy({
          arm: listedCertificates([arm.certificatePem], systemClock),
          admin: listedCertificates([admin.certificatePem], systemClock),
        });
      },
    });
  });
  after(() => frontend[Symbol.asyncDispose]());

  const forbidden = { error: { code: "Forbidden", message: "Forbidden." } };

  test("without a certificate, or with one of the same name and issuer, only readiness responds", async () => {
    for (const client of [frontend.client, frontend.connect(stranger)]) {
      const { status, json } = await client.get(operations);
      assert.deepEqual([status, json], [403, forbidden]);
      const ready = await client.get("/healthz/ready");
      assert.deepEqual([ready.status, ready.json], [200, {}]);
      assert.equal((await client.get("/unknown")).status, 403);
      assert.equal((await client.post(operations)).status, 403);
    }
  });

  const admins = [
    "/admin/versions",
    "//admin/versions",
    "/Admin/versions",
    "/%61dmin/versions",
    `${cluster}?api-version=admin`,
    `${cluster}?api%2Dversion=admin`,
    `${cluster}?api-version=admin&api-version=2025-07-25`,
  ];
  for (const path of admins) {
    test(`${path} is the admin's alone`, async () => {
      assert.equal((await frontend.connect(arm).get(path)).status, 403);
      assert.notEqual((await frontend.connect(admin).get(path)).status, 403);
    });
  }

  test("the ARM API is not the admin's", async () => {
    const path = `${cluster}?api-version=2025-07-25`;
    assert.equal((await frontend.connect(admin).get(path)).status, 403);
    assert.equal((await frontend.connect(arm).get(path)).status, 404);
    assert.equal((await frontend.connect(arm).get(operations)).status, 200);
  });

  test("authorization comes before the body is read", async () => {
    const large = await frontend.client.put(`${cluster}?api-version=2025-07-25`, "x".repeat(2_000_000));
    assert.equal(large.status, 403);
    const text = await frontend.client.put(`${cluster}?api-version=1`, "x", {
      headers: { "content-type": "text/plain" },
    });
    assert.equal(text.status, 403);
  });
});

test("admin requests are those under /admin and of the API version admin", () => {
  const cases = [
    { path: "/admin", apiVersion: "", admin: true },
    { path: "/admin/versions", apiVersion: "2025-07-25", admin: true },
    { path: "/subscriptions/x", apiVersion: "admin", admin: true },
    { path: "/subscriptions/x", apiVersion: "Admin", admin: true },
    { path: "/subscriptions/admin", apiVersion: "2025-07-25", admin: false },
  ];
  for (const { admin, ...each } of cases) assert.equal(isAdminRequest(each), admin, each.path);
});

test("a removed caller loses its open connections at once, other callers keep theirs", async () => {
  let arm: KeyPair | undefined;
  let admin: KeyPair | undefined;
  let callers: FollowedAuthorizer | undefined;
  const rules = (armPems: readonly string[], adminPem: string) =>
    authorizeBy({
      arm: listedCertificates(armPems, systemClock),
      admin: listedCertificates([adminPem], systemClock),
    });
  await using frontend = await startTestFrontend({
    async authorizer(authority) {
      arm = await certificateFor(authority, "arm");
      admin = await certificateFor(authority, "admin");
      callers = followedAuthorizer(rules([arm.certificatePem], admin.certificatePem));
      return callers;
    },
  });
  assert.ok(arm && admin && callers);
  const { port } = new URL(frontend.url);
  const open = async (pair: KeyPair) => {
    const { certificatePem: cert, privateKeyPem: key } = pair;
    const socket = connectTls({
      port: Number(port),
      host: "127.0.0.1",
      cert,
      key,
      rejectUnauthorized: false,
    });
    socket.on("error", () => undefined).resume();
    await once(socket, "secureConnect");
    socket.write("GET /healthz/ready HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await once(socket, "data");
    return socket;
  };
  const [removed, kept] = await Promise.all([open(arm), open(admin)]);
  const closed = once(removed, "close");
  const changed: Promise<void>[] = [];
  callers.onChange((isRemoved) => changed.push(frontend.callersChanged(isRemoved)));
  callers.use(rules([], admin.certificatePem));
  await Promise.all([closed, ...changed]);
  assert.equal((await frontend.connect(arm).get(operations)).status, 403);
  assert.equal(kept.destroyed, false);
  kept.destroy();
});
