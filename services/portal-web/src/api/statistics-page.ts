import type { statisticsTypes } from "@keelson/portal-api";

export type StatisticsPage = keyof typeof statisticsTypes;
