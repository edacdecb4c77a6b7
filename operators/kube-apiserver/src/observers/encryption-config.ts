import { stringsAt, valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { type ConfigObserver, configAt } from "@keelson/operator-kit";
import { namespaces } from "../config/namespaces.ts";
import { resourceDir } from "../config/operand-paths.ts";
import { argumentPath, withArguments } from "./arguments.ts";
import { normal, objectInput, warning } from "./inputs.ts";

const argument = "encryption-provider-config";
const path = argumentPath(argument);
const secretKey = { namespace: namespaces.target, name: "encryption-config" };
const file = `${resourceDir}/secrets/encryption-config/encryption-config`;

/**
 * Observes the encryption configuration. Once API servers have encrypted data, they must always have the keys to read the stored
 * data.
 */
export const observeEncryptionConfig: ConfigObserver = {
  name: "ObserveEncryptionConfig",
  paths: [path],
  inputs: [objectInput(resources.secrets, secretKey)],
  observe({ objects, existing, report }) {
    const before = stringsAt(configAt(existing, path));
    const secret = objects.find(resources.secrets, secretKey);
    const subject = `encryption config secret ${secretKey.namespace}/${secretKey.name}`;
    if (!secret) {
      if (before.length > 0)
        report(
          warning(
            "ObserveEncryptionConfigNotFound",
            `${subject} not found after encryption has been enabled`,
          ),
        );
      return { config: existing };
    }
    if (!valueAt(secret, "data", "encryption-config")) {
      report(warning("ObserveEncryptionConfigNoData", `${subject} missing data`));
      return { config: existing };
    }
    if (before.length !== 1 || before[0] !== file)
      report(
        normal(
          "ObserveEncryptionConfigChanged",
          `encryption config file changed from [${before.join(" ")}] to ${file}`,
        ),
      );
    return { config: withArguments({ [argument]: [file] }) };
  },
};
