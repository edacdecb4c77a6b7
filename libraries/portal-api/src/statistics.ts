import { type Static, Type } from "typebox";
import { closed, time } from "./shape.ts";

/** Path segments of the statistics by page. Full path: `{C}/statistics/{type}?duration=1h&endtime=...`. */
export const statisticsTypes = {
  APIStatistics: ["kubeapicodes", "kubeapicpu", "kubeapimemory"],
  KCMStatistics: ["kubecontrollermanagercodes", "kubecontrollermanagercpu", "kubecontrollermanagermemory"],
  DNSStatistics: [
    "dnsresponsecodes",
    "dnserrorrate",
    "dnshealthcheck",
    "dnsforwardedtraffic",
    "dnsalltraffic",
  ],
  IngressStatistics: ["ingresscontrollercondition"],
} as const;
export type StatisticsType = (typeof statisticsTypes)[keyof typeof statisticsTypes][number];

/** List of time series, each with at most 240 values. */
export const statisticsSchema = Type.Array(
  closed({
    metricname: Type.String(),
    metricvalue: Type.Array(closed({ timestamp: time("time of the value"), value: Type.Number() })),
  }),
);
export type Statistics = Static<typeof statisticsSchema>;
