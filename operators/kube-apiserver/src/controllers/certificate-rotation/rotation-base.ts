import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { namespaces } from "../../config/namespaces.ts";
import { objectInput } from "../../observers/inputs.ts";
import { inputWatches, kubeApiServerController } from "../../runtime/operator-context.ts";

const type = "CertRotationTimeUpgradeable";
const key = { namespace: namespaces.config, name: "unsupported-cert-rotation-config" };

/** Blocks upgrades while the certificate validity is shortened. Only release tests shorten it. */
export const rotationBase = kubeApiServerController({
  name: "CertRotationTimeUpgradeableController",
  conditions: [type],
  watches: inputWatches([objectInput(resources.configMaps, key)]),
  async reconcile({ parts: { cache } }) {
    const base = stringAt(cache.known(resources.configMaps, key)?.object, "data", "base") ?? "";
    if (base === "") return { conditions: [{ type, status: "True", reason: "DefaultCertRotationBase" }] };
    const message = `configmap["${key.namespace}"]/${key.name} .data["base"]==${JSON.stringify(base)}`;
    return { conditions: [{ type, status: "False", reason: "CertRotationBaseOverridden", message }] };
  },
});
