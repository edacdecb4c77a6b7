import type { StatisticsType } from "@keelson/portal-api";
import type { StatisticsPage } from "../api/statistics-page.ts";
import { formatBytes } from "../display/quantity.ts";

export type Unit = "perSecond" | "cores" | "bytes" | "seconds" | "ratio" | "count";

export interface Chart {
  readonly type: StatisticsType;
  readonly title: string;
  readonly unit: Unit;
}

/**
 * Charts of each page. Their types come from the portal's API. The API's schemas are not imported, because they are not necessary
 * in a browser.
 */
export const charts: Readonly<Record<StatisticsPage, readonly Chart[]>> = {
  APIStatistics: [
    { type: "kubeapicodes", title: "Requests with error responses, by code and verb", unit: "perSecond" },
    { type: "kubeapicpu", title: "CPU of API servers", unit: "cores" },
    { type: "kubeapimemory", title: "Memory of API servers", unit: "bytes" },
  ],
  KCMStatistics: [
    {
      type: "kubecontrollermanagercodes",
      title: "Requests of controller managers, by code",
      unit: "perSecond",
    },
    { type: "kubecontrollermanagercpu", title: "CPU of controller managers", unit: "cores" },
    { type: "kubecontrollermanagermemory", title: "Memory of controller managers", unit: "bytes" },
  ],
  DNSStatistics: [
    { type: "dnsresponsecodes", title: "Answers, by code", unit: "perSecond" },
    { type: "dnserrorrate", title: "Errors per successful response, by pod", unit: "ratio" },
    { type: "dnshealthcheck", title: "Health check, 99th percentile", unit: "seconds" },
    { type: "dnsforwardedtraffic", title: "Forwarded requests, 95th percentile", unit: "seconds" },
    { type: "dnsalltraffic", title: "All requests, 95th percentile", unit: "seconds" },
  ],
  IngressStatistics: [
    { type: "ingresscontrollercondition", title: "Conditions of ingress controllers", unit: "count" },
  ],
};

/** Formats a value with three digits and its unit. */
export function formatValue(value: number, unit: Unit): string {
  if (unit === "bytes") return formatBytes(value);
  if (unit === "seconds") return Math.abs(value) < 1 ? `${short(value * 1_000)} ms` : `${short(value)} s`;
  const names = { perSecond: "/s", cores: " cores", ratio: "", count: "" };
  return `${short(value)}${names[unit]}`;
}

const short = (value: number): string => String(Number(value.toPrecision(3)));
