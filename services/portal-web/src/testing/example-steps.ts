import type { StepDurations, StepLogs } from "@keelson/portal-api";

const retry = {
  level: "warning",
  message: "step will be tried again",
  details: '{"waitMs":60000}',
  error: "AADSTS7000222: the client secret keys are <b>expired</b>",
} as const;

/** Log lines in the form that a hostile cluster could cause. */
export const exampleStepLogs: StepLogs = {
  steps: [
    {
      name: "renewClientSecret",
      omitted: 3,
      entries: [
        { at: "2026-11-26T13:40:10Z", level: "info", message: "requests a token" },
        { at: "2026-11-26T13:41:10Z", attempt: 1, ...retry },
        { at: "2026-11-26T13:44:10Z", attempt: 2, ...retry },
        { at: "2026-11-26T13:58:30Z", level: "error", message: "<script>alert(1)</script>" },
      ],
    },
  ],
};

export const exampleStepDurations: StepDurations = {
  steps: [
    { name: "validateResources", medianMs: 7_000, count: 31 },
    { name: "renewClientSecret", medianMs: 42_000, count: 12 },
    { name: "waitForAPIServer", medianMs: 600_000, count: 31 },
  ],
};
