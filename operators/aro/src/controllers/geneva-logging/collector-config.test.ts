import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, valueAt } from "@keelson/base";
import { parse } from "yaml";
import { collectorConfig } from "./collector-config.ts";
import { gatewayOf } from "./gateway.ts";
import { exporterRoles } from "./names.ts";
import { profileOf, profiles } from "./profile.ts";

type Names = Readonly<Record<string, unknown>>;
type Config = Readonly<Record<"receivers" | "processors" | "exporters" | "extensions", Names>> & {
  readonly service: {
    readonly extensions: readonly string[];
    readonly pipelines: Readonly<
      Record<string, Readonly<Record<"receivers" | "processors" | "exporters", readonly string[]>>>
    >;
  };
};
const configOf = (...of: Parameters<typeof collectorConfig>) => parse(collectorConfig(...of)) as Config;

for (const profile of profiles)
  for (const role of exporterRoles) {
    const config = configOf(profile, role);
    const { pipelines, extensions } = config.service;

    test(`${profile} of the ${role}: pipelines name exactly the configured components`, () => {
      for (const part of ["receivers", "processors", "exporters"] as const)
        assert.deepEqual(
          new Set(Object.values(pipelines).flatMap((each) => each[part])),
          new Set(Object.keys(config[part])),
          part,
        );
      assert.deepEqual(extensions, Object.keys(config.extensions));
      assert.deepEqual(
        Object.keys(pipelines),
        role === "master"
          ? ["logs/journald", "logs/containers", "logs/audit"]
          : ["logs/journald", "logs/containers"],
      );
      for (const { processors } of Object.values(pipelines)) {
        assert.equal(processors[0], "memory_limiter");
        assert.equal(processors.at(-1), "batch");
      }
    });

    test(`${profile} of the ${role}: expressions are balanced, patterns compile`, () => {
      for (const condition of conditionsOf(config)) {
        assert.equal(depthOf(condition), 0, condition);
        for (const [, pattern = ""] of condition.matchAll(/, ("(?:[^"\\]|\\.)*")\)/g))
          new RegExp(JSON.parse(pattern) as string);
      }
      for (const { regex } of operatorsOf(config)) new RegExp(regex.replaceAll("(?P<", "(?<"));
    });

    test(`${profile} of the ${role}: verbose add-ons and API writes are filtered`, () => {
      const receiver = config.receivers["file_log/containers"];
      assert.equal(listAt(receiver, "exclude").length, 10);
      const statements = listAt(
        listAt(config.processors["transform/records"], "log_statements")[0],
        "statements",
      );
      for (const name of ["requestObject", "responseObject"])
        assert.ok(statements.some((each) => String(each).startsWith(`delete_key(log.body, "${name}")`)));
    });
  }

test("profiles differ in namespaces and filters", () => {
  const included = (profile: (typeof profiles)[number]) =>
    listAt(configOf(profile, "master").receivers["file_log/containers"], "include").length;
  assert.deepEqual(profiles.map(included), [4, 4, 14]);
  const filters = profiles.map((profile) =>
    Object.keys(configOf(profile, "master").processors).filter((each) => each.startsWith("filter/")),
  );
  assert.deepEqual(filters, [
    [],
    ["filter/journal-noise", "filter/olm-noise", "filter/audited-changes"],
    [
      "filter/journal-noise",
      "filter/journal-in-trouble",
      "filter/containers-in-trouble",
      "filter/audited-changes",
    ],
  ]);
});

/** Sample records for each filter. The test evaluates the filter's conditions for these records. */
const records: readonly (readonly [source: string, kept: boolean, body: unknown])[] = [
  ["containers", true, 'time="x" level=error msg="y"'],
  ["containers", true, "E0102 03:04:05.678901 1 file.go:1] message"],
  ["containers", true, "2026-01-01T00:00:00Z\twarn\tfile.go"],
  ["containers", false, "all is well"],
  ["containers", true, { severity: "W", message: "x" }],
  ["containers", false, { severity: "info", message: "x" }],
  ["containers", true, { message: "Update error 1 of 2: ClusterOperatorDegraded" }],
  ["containers", false, { severity: 3 }],
  ["journald", true, { PRIORITY: "4", SYSLOG_IDENTIFIER: "x" }],
  ["journald", false, { PRIORITY: "6", SYSLOG_IDENTIFIER: "x" }],
  ["journald", true, { PRIORITY: "6", SYSLOG_IDENTIFIER: "kubenswrapper", MESSAGE: "SyncLoop ADD" }],
  ["journald", true, { PRIORITY: "6", SYSLOG_IDENTIFIER: "crio", MESSAGE: "it failed" }],
  ["journald", true, { PRIORITY: "6", _SYSTEMD_UNIT: "init.scope", UNIT: "kubelet.service" }],
  ["journald", false, { PRIORITY: "3", SYSLOG_IDENTIFIER: "ovs-vswitchd", MESSAGE: "12 flow_mods" }],
  ["audit", true, { verb: "create", objectRef: { resource: "pods", namespace: "openshift-etcd" } }],
  ["audit", false, { verb: "get", objectRef: { resource: "pods", namespace: "openshift-etcd" } }],
  ["audit", false, { verb: "update", objectRef: { resource: "leases", namespace: "openshift-etcd" } }],
  ["audit", false, { verb: "create", objectRef: { resource: "pods", namespace: "customer" } }],
  ["audit", false, { verb: "create", objectRef: { resource: "pods", namespace: "openshift-gitops" } }],
  ["audit", false, { verb: "create", requestURI: "/apis/authentication.k8s.io/v1/tokenreviews?x" }],
  ["audit", false, "no JSON"],
];
for (const [source, kept, body] of records)
  test(`minimal logs ${kept ? "keep" : "drop"} of ${source} ${JSON.stringify(body)}`, () => {
    const { service, processors } = configOf("minimal-logs", "master");
    const conditions = (service.pipelines[`logs/${source}`]?.processors ?? []).flatMap((name) =>
      listAt(processors[name], "logs", "log_record"),
    );
    assert.ok(conditions.length > 0);
    assert.equal(!conditions.some((each) => isTrue(String(each), body)), kept);
  });

test("the master's SyncLoop filter does not apply to workers", () => {
  const journal = (role: "master" | "worker") =>
    listAt(configOf("minimal-logs", role).processors["filter/journal-in-trouble"], "logs", "log_record");
  const body = { PRIORITY: "6", SYSLOG_IDENTIFIER: "kubenswrapper", MESSAGE: "SyncLoop ADD" };
  assert.deepEqual(
    exporterRoles.map((role) => isTrue(String(journal(role)[0]), body)),
    [false, true],
  );
});

test("each role has its own profile, or that of both", () => {
  const flag = "aro.genevalogging.otel";
  assert.equal(profileOf({}, "master"), "minimal-logs");
  assert.equal(profileOf({ [`${flag}.profile`]: "max-logs" }, "worker"), "max-logs");
  const flags = { [`${flag}.profile`]: "max-logs", [`${flag}.worker.profile`]: "reduced-logs" };
  assert.deepEqual(
    exporterRoles.map((role) => profileOf(flags, role)),
    ["max-logs", "reduced-logs"],
  );
  assert.throws(() => profileOf({ [`${flag}.worker.profile`]: "" }, "worker"), {
    message:
      'worker profile: unsupported geneva otel profile "": expected "max-logs", "reduced-logs", or "minimal-logs"',
  });
});

test("the gateway is a lower-case name for an address", () => {
  assert.equal(gatewayOf({ gatewayTelemetryDomain: "a.example" }), undefined);
  assert.deepEqual(
    gatewayOf({ gatewayPrivateEndpointIP: "10.0.0.9", gatewayTelemetryDomain: "Telemetry.A" }),
    {
      ip: "10.0.0.9",
      hostname: "telemetry.a",
      endpoint: "telemetry.a:4317",
    },
  );
  assert.throws(() => gatewayOf({ gatewayPrivateEndpointIP: "nowhere" }), {
    message: 'invalid cluster spec field "gatewayPrivateEndpointIP": "nowhere" is not a valid IP address',
  });
  assert.throws(() => gatewayOf({ gatewayPrivateEndpointIP: "10.0.0.9" }), {
    message: 'invalid cluster spec field "gatewayTelemetryDomain": empty',
  });
});

function conditionsOf({ processors }: Config): readonly string[] {
  return Object.values(processors).flatMap((each) => listAt(each, "logs", "log_record").map(String));
}

function operatorsOf({ receivers }: Config): readonly { readonly regex: string }[] {
  const operators = Object.values(receivers).flatMap((each) => listAt(each, "operators"));
  return operators.filter((each): each is { regex: string } => typeof valueAt(each, "regex") === "string");
}

function depthOf(condition: string): number {
  let depth = 0;
  for (const [token] of condition.matchAll(/"(?:[^"\\]|\\.)*"|[()]/g))
    if (token === "(") depth++;
    else if (token === ")") depth--;
  return depth;
}

/**
 * Evaluates a filter condition of the collector. It supports only the functions that the filters use, and translates them to
 * JavaScript.
 */
function isTrue(condition: string, body: unknown): boolean {
  const script = condition.replace(/"(?:[^"\\]|\\.)*"|\b(?:and|or|not)\b/g, (token) =>
    token.startsWith('"') ? token : ({ and: "&&", or: "||", not: "!" }[token] ?? token),
  );
  const judge = new Function("body", "IsString", "IsMap", "IsMatch", `return ${script};`);
  return judge(
    body,
    (value: unknown) => typeof value === "string",
    (value: unknown) => typeof value === "object" && value !== null,
    (value: string, pattern: string) => new RegExp(pattern).test(value),
  );
}
