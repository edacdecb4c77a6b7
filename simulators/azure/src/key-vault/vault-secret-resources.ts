import { ArmError, badRequest } from "../arm/arm-error.ts";
import { lastSegment, parentId } from "../arm/arm-path.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { members, nonEmptyStringAt, without, withProperties } from "../base/json.ts";
import { Vault } from "./vault.ts";
import { latest } from "./vault-row.ts";
import { readChange } from "./version-request.ts";

/** Vault secrets as ARM resources, for templates. Writing a value adds a version. Responses never contain the value. */
export const vaultSecrets: ResourceType = {
  namespace: "Microsoft.KeyVault",
  type: "vaults/secrets",
  location: "none",
  provisioningState: false,
  names: /^[0-9a-zA-Z-]{1,127}$/,
  readOnly: ["secretUri", "secretUriWithVersion"],
  checkDelete(secret) {
    throw new ArmError(
      405,
      "MethodNotAllowed",
      `The secret ${secret.name} is deleted in its vault, not by Azure Resource Manager.`,
    );
  },
  prepare({ id, name, body }, subscription) {
    const vaultName = lastSegment(parentId(id));
    const { secrets } = new Vault(vaultName, subscription);
    const properties = members(body.properties);
    const value = nonEmptyStringAt(properties, "value");
    const contentType = nonEmptyStringAt(properties, "contentType");
    const change = readChange({ attributes: members(properties.attributes), tags: members(body.tags) });
    const known = secrets.find(name);
    if (value === undefined && !known) {
      throw badRequest("BadRequest", `The secret ${name} needs 'properties.value'.`);
    }
    const content = contentType === undefined ? {} : { contentType };
    const version =
      value === undefined
        ? secrets.update(name, latest(secrets.get(name)).id, change, content)
        : secrets.add(name, { value, ...content }, change);
    const secretUri = `https://${vaultName.toLowerCase()}.vault.azure.net/secrets/${name}`;
    return {
      body: withProperties(
        { ...body, properties: without(properties, ["value"]) },
        {
          attributes: { ...version.attributes },
          secretUri,
          secretUriWithVersion: `${secretUri}/${version.id}`,
        },
      ),
    };
  },
};
