import { isDeepStrictEqual } from "node:util";
import { valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt } from "@keelson/operator-kit";
import { tlsProfile } from "../config/tls-profile.ts";
import { clusterInput, normal, quotedList, singleton } from "./inputs.ts";

const versionPath = ["servingInfo", "minTLSVersion"];
const ciphersPath = ["servingInfo", "cipherSuites"];
const reason = "ObserveTLSSecurityProfile";

export const observeTlsSecurityProfile: ConfigObserver = {
  name: "ObserveTLSSecurityProfile",
  paths: [versionPath, ciphersPath],
  inputs: [clusterInput(resources.apiServers)],
  observe({ objects, existing, report }) {
    const apiServer = objects.find(resources.apiServers, singleton);
    const { minTlsVersion, cipherSuites } = tlsProfile(valueAt(apiServer, "spec", "tlsSecurityProfile"));
    if (configAt(existing, versionPath) !== minTlsVersion)
      report(normal(reason, `minTLSVersion changed to ${minTlsVersion}`));
    if (!isDeepStrictEqual(configAt(existing, ciphersPath), cipherSuites))
      report(normal(reason, `cipherSuites changed to ${quotedList(cipherSuites)}`));
    return { config: { servingInfo: { minTLSVersion: minTlsVersion, cipherSuites } } };
  },
};
