import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { explainInstallFailure, failureReasonIn, installFailures } from "./install-failure.ts";

const arm = (details: unknown) =>
  `level=error msg=400: DeploymentFailed: : Deployment failed. Details: : : ${JSON.stringify({ code: "InvalidTemplateDeployment", message: "m", details })}`;

for (const [reason, log] of [
  [
    "AzureKeyBasedAuthenticationNotPermitted",
    "PUT https://clusterabcdefghij.blob\nKeyBasedAuthenticationNotPermitted",
  ],
  ["AzureRequestDisallowedByPolicy", arm([{ code: "RequestDisallowedByPolicy", message: "no" }])],
  ["AzureInvalidTemplateDeployment", arm([{ code: "SkuNotAvailable", message: "no" }])],
  ["AzureZonalAllocationFailed", '{"code": "ZonalAllocationFailed", "message": "no"}'],
  ["AzureZonalAllocationFailed", '{\\"code\\": \\"ZonalAllocationFailed\\"}'],
  ["AzureOSProvisioningTimedOut", '{"code":"OSProvisioningTimedOut"}'],
  // This storage account belongs to the image registry and does not match the pattern.
  [undefined, "https://imageregistryabc KeyBasedAuthenticationNotPermitted"],
  [undefined, ""],
] as const) {
  test(`the log ${JSON.stringify(log.slice(0, 60))} has the reason ${reason ?? "unknown"}`, () => {
    assert.equal(failureReasonIn(log), reason);
  });
}

test("Azure's error becomes details, also from a quoted line and without values that are not strings", () => {
  const details = [{ code: "A", message: "a", target: "t" }, { code: 1 }, "x", null, { message: "b" }];
  const wanted = [
    { code: "A", message: "a", target: "t" },
    { code: "Unknown", message: "b" },
  ];
  const line = arm(details);
  for (const log of [
    line,
    `first\n${line}\nlast`,
    line.replace(/(\{.*\})/, (json) => json.replaceAll('"', '\\"')),
  ])
    assert.deepEqual(explainInstallFailure("AzureInvalidTemplateDeployment", log).body.details, wanted);
});

test("an error without details becomes a detail itself", () => {
  const log =
    'level=error msg=400: DeploymentFailed: : Deployment failed. Details: : : {"code":"C","message":"m"}';
  const { body } = explainInstallFailure("AzureZonalAllocationFailed", log);
  assert.deepEqual(body.details, [{ code: "C", message: "m" }]);
});

test("no secret that Azure may have quoted gets into details", () => {
  const log = arm([{ code: "C", message: "the clientSecret=s3cr3t~value was refused" }]);
  const { body } = explainInstallFailure("AzureInvalidTemplateDeployment", log);
  assert.deepEqual(body.details, [{ code: "C", message: "the clientSecret=[REDACTED] was refused" }]);
});

test("storage without keys needs no log", () => {
  const { status, body } = explainInstallFailure("AzureKeyBasedAuthenticationNotPermitted", undefined);
  assert.deepEqual([status, body.code, body.details?.length], [400, "DeploymentFailed", 1]);
});

test("an unknown reason is a detail with the last error of its log, without secrets", () => {
  const log = [
    "level=info msg=started",
    'level=error msg="clientSecret=s3cr3t-in-a-message was refused"',
    "level=debug msg=stopped",
  ].join("\n");
  const { status, body } = explainInstallFailure("UnknownError", undefined, {
    otherwise: { code: "UnknownError", message: log },
  });
  assert.deepEqual([status, body.code, body.message], [500, "InternalServerError", "Deployment failed."]);
  assert.equal(body.details?.length, 1);
  assert.match(body.details?.[0]?.message ?? "", /^level=error msg=.*was refused/);
  assert.doesNotMatch(JSON.stringify(body), /s3cr3t/);
});

test("an installer that panics shows the panic and no stack", () => {
  const log = [
    "level=info msg=creating InstanceMetadata",
    "panic: runtime error: invalid memory address or nil pointer dereference",
    "[signal SIGSEGV: segmentation violation code=0x1 addr=0x8 pc=0x89bee45]",
    "goroutine 1 [running]:",
    "main.main()",
    "\t/app/cmd/aro/main.go:32 +0x65",
  ].join("\n");
  const { body } = explainInstallFailure(undefined, undefined, {
    otherwise: { code: "UnknownError", message: log },
  });
  assert.equal(
    body.details?.[0]?.message,
    "panic: runtime error: invalid memory address or nil pointer dereference",
  );
});

test("every log results in an error", () => {
  const reasons = fc.option(fc.constantFrom(...installFailures.map(({ reason }) => reason), "Other"), {
    nil: undefined,
  });
  const logs = fc.oneof(
    fc.string(),
    fc
      .jsonValue()
      .map(
        (value) => `DeploymentFailed: : Deployment failed. Details: : : {"details":${JSON.stringify(value)}}`,
      ),
    fc.string().map((text) => `DeploymentFailed: : Deployment failed. Details: : : {${text}}`),
  );
  fc.assert(
    fc.property(reasons, fc.option(logs, { nil: undefined }), (reason, log) => {
      const { status, body } = explainInstallFailure(reason, log);
      assert.ok(status === 400 || status === 500);
      assert.ok(
        body.message.length > 0 && (body.details ?? []).every((each) => typeof each.message === "string"),
      );
    }),
  );
});

test("a log of a customer's making is read in linear time", () => {
  const bytes = 1_048_576;
  const hostile = [
    `"code${":".repeat(bytes)}`,
    "clusterabcdefghij".repeat(bytes / 17),
    '"code":"InvalidTemplateDeployment"'.repeat(bytes / 34),
    "DeploymentFailed: : Deployment failed. Details: : : {".repeat(bytes / 52),
  ];
  // CPU time in microseconds that this process has used so far. An earlier implementation needed up to 105 s for a hostile string
  // of only 256 KiB, because its run time grew faster than the length.
  const { user } = process.cpuUsage();
  for (const log of hostile) {
    failureReasonIn(log);
    explainInstallFailure("AzureInvalidTemplateDeployment", log);
  }
  assert.ok(process.cpuUsage().user - user < 5_000_000);
});
