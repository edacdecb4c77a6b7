import { customResourceDefinition, type KubeObject } from "@keelson/kube";
import { samplesConfigs } from "../resources/resources.ts";
import { configSpec, configStatus } from "./config-schema.ts";

/** CustomResourceDefinition of Config. */
export const configDefinition: KubeObject = customResourceDefinition(samplesConfigs, {
  spec: configSpec,
  status: configStatus,
  required: ["metadata", "spec"],
});
