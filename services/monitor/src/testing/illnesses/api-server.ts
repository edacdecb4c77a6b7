import { failed, fault, type Illness } from "./illness.ts";

export const apiServerIllnesses: readonly Illness[] = [
  {
    collector: "emitAPIServerHealthzCode",
    title: "an API server without its storage",
    begin: fault("api-unhealthy"),
    well: [["apiserver.healthz.code", 1, { code: "200" }]],
    ill: [["apiserver.healthz.code", 1, { code: "500" }], failed("emitAPIServerHealthzCode")],
  },
  {
    collector: "emitAPIServerPingCode",
    title: "an API server that does not even answer pings",
    begin: fault("api-unhealthy", { check: "ping" }),
    well: [],
    ill: [["apiserver.healthz.ping.code", 1, { code: "500" }], failed("emitAPIServerPingCode")],
  },
];
