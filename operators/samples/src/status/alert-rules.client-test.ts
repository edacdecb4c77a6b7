/** Uses Debian's promtool to evaluate the alerts. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkRules, type InputSeries, type RuleGroups, testAlerts } from "@keelson/operator-kit/testing";
import { alertRules, samplesAlerts } from "./alert-rules.ts";
import { metricNames } from "./samples-metrics.ts";

const rules = samplesAlerts.spec as RuleGroups;
const { failing, retries } = metricNames;
const stream = (name: string, values: string): InputSeries => ({
  series: `${failing}{name="${name}"}`,
  values,
});
const retried = (name: string, values: string): InputSeries => ({
  series: `${retries}{imagestreamname="${name}"}`,
  values,
});

/** Test cases by alert. Each case has series for which the alert fires after some time, and series for which it does not fire. */
const cases: readonly {
  readonly alert: string;
  readonly after?: { readonly notYet: string; readonly at: string };
  readonly fires: readonly InputSeries[];
  readonly rests: Readonly<Record<string, readonly InputSeries[]>>;
}[] = [
  {
    alert: "SamplesImagestreamImportFailing",
    // The first retry creates the series with the value 1, so the counter first increases at the second retry.
    after: { notYet: "2h19m", at: "2h21m" },
    fires: [
      stream("ruby", "1x300"),
      stream("nodejs", "0x300"),
      // A working operator retries at least once every 20 minutes.
      retried("ruby", "1x19 2x19 3x19 4x19 5x19 6x19 7x19 8x19 9x19 10x19"),
    ],
    rests: {
      "none fails any more": [stream("ruby", "0x300"), retried("ruby", "7x300")],
      "it fails, then is imported, again and again": [
        stream("ruby", "1x80 0x9 1x80 0x9 1x80"),
        retried("ruby", "0+1x300"),
      ],
    },
  },
  {
    alert: "SamplesRetriesMissingOnImagestreamImportFailing",
    fires: [stream("ruby", "1x300")],
    rests: {
      "the operator starts again and counts from zero": [
        stream("ruby", "0x200"),
        retried("ruby", "40x100 1x100"),
      ],
      "none was ever tried, and none fails": [stream("ruby", "0x300")],
    },
  },
  single("SamplesDegraded", metricNames.degraded),
  single("SamplesInvalidConfig", metricNames.invalidConfig),
  single("SamplesMissingSecret", `${metricNames.invalidSecret}{reason="missing_secret"}`),
  single("SamplesMissingTBRCredential", `${metricNames.invalidSecret}{reason="missing_tbr_credential"}`),
  {
    ...single("SamplesTBRInaccessibleOnBoot", metricNames.unreachable),
    after: { notYet: "47h59m", at: "48h1m" },
    fires: [{ series: metricNames.unreachable, values: "1x2900" }],
  },
];

function single(alert: string, series: string) {
  return {
    alert,
    fires: [{ series, values: "1x300" }],
    rests: { "it is 0": [{ series, values: "0x300" }], "it passes": [{ series, values: "1x90 0x9 1x90" }] },
  };
}

test("promtool accepts the seven rules", async () => {
  assert.match(await checkRules(rules), /SUCCESS: 7 rules found/);
});

test("promtool rejects an invalid expression, which proves that the check can fail", async () => {
  const wrong = [{ alert: "Wrong", expr: "sum(" }];
  await assert.rejects(checkRules({ groups: [{ name: "wrong", rules: wrong }] }), /parse error/);
});

test("each alert has a case", () => {
  assert.deepEqual(
    cases.map(({ alert }) => alert).toSorted(),
    alertRules.map(({ alert }) => alert).toSorted(),
  );
});

for (const { alert, after = { notYet: "1h59m", at: "2h1m" }, fires, rests } of cases)
  describe(alert, () => {
    test(`fires at ${after.at}, not before`, () =>
      testAlerts({
        rules,
        interval: "1m",
        series: fires,
        firing: [
          { at: after.notYet, alerts: [] },
          { at: after.at, alerts: [alert] },
        ],
      }));
    for (const [why, series] of Object.entries(rests))
      test(`rests when ${why}`, () =>
        testAlerts({ rules, interval: "1m", series, firing: [{ at: after.at, alerts: [] }] }));
  });

test("one stream without retries is found among streams with retries, and each alert names its own stream", async () => {
  const series = [
    stream("ruby", "1x200"),
    stream("nodejs", "1x200"),
    stream("php", "0x200"),
    retried("ruby", "0+1x200"),
    retried("nodejs", "3x200"),
    retried("php", "2x200"),
  ];
  const alerts = ["SamplesImagestreamImportFailing", "SamplesRetriesMissingOnImagestreamImportFailing"];
  const firing = [{ at: "3h", alerts }];
  const texts = [
    `Imports of 1 imagestreams of namespace openshift fail repeatedly: ruby
The ConfigMaps of these names in namespace openshift-cluster-samples-operator contain the registry's messages. Add unneeded samples to \`skippedImagestreams\` of Config \`cluster\`, or set its \`managementState\` to \`Removed\`.`,
    `Imports of 1 imagestreams of namespace openshift fail, and the samples operator has not retried them for 30 minutes: nodejs
See \`oc get clusteroperator openshift-samples -o yaml\` and the log of the operator for the reason.`,
  ];
  for (const [index, description] of texts.entries())
    await testAlerts({
      rules,
      interval: "1m",
      series,
      firing,
      described: { at: "3h", alert: alerts[index] ?? "", description },
    });
});
