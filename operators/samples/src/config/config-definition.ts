import { customResourceDefinition, type KubeObject } from "@keelson/kube";
import { samplesConfigs } from "../resources/resources.ts";
import { configSpec, configStatus } from "./config-schema.ts";

/** The CustomResourceDefinition of Configs. */
export const configDefinition: KubeObject = customResourceDefinition(samplesConfigs, {
  spec: configSpec,
  status: configStatus,
  required: ["metadata", "spec"],
});
