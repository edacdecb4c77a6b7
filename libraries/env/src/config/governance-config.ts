import { describeSchemaFaults } from "@keelson/base";
import { type Static, Type } from "typebox";
import { Default } from "typebox/value";
import { allErrors } from "../files/all-errors.ts";
import { invalidConfiguration } from "../files/config-errors.ts";
import { readObject } from "../files/config-object.ts";

const closed = { additionalProperties: false };
const rfc3339 = (description: string) =>
  Type.String({
    pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$",
    description,
  });
const minutes = (most: number, byDefault: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: most, default: byDefault, description });

/** Schema of `portal.governance`. */
export const governanceSchema = Type.Object(
  {
    elevation: Type.Optional(
      Type.Object(
        { maxMinutes: minutes(480, 60, "maximum time for which a person can activate the role") },
        {
          ...closed,
          description:
            "people of the elevated groups have the role `operator` until they activate `elevated` in the portal, with a reason",
        },
      ),
    ),
    approval: Type.Optional(
      Type.Object(
        {
          validMinutes: minutes(
            1_440,
            60,
            "validity of a request in minutes. Without approval and confirmation it then expires",
          ),
        },
        {
          ...closed,
          description:
            "a second person with the role `elevated` approves each destructive action in the portal",
        },
      ),
    ),
    freezes: Type.Array(
      Type.Object(
        {
          from: rfc3339("start of the freeze"),
          until: rfc3339("end of the freeze"),
          reason: Type.String({
            minLength: 1,
            description: "reason of the freeze, which the portal and the error of a rejected action show",
          }),
          emergency: Type.Boolean({
            default: false,
            description:
              "true if people with the role `elevated` may act during the freeze if they enter a reason",
          }),
        },
        closed,
      ),
      { default: [], description: "periods in which the admin API rejects actions that change clusters" },
    ),
  },
  {
    ...closed,
    description:
      "rules for administrators' actions in addition to roles. The portal and the admin API enforce them",
  },
);

export type GovernanceConfig = Static<typeof governanceSchema>;

/**
 * Reads a file with the content of `portal.governance`, and adds defaults.
 * @throws InvalidConfiguration naming the file and each invalid field
 */
export function readGovernance(path: string): GovernanceConfig {
  const config = Default(governanceSchema, readObject(path));
  const faults = describeSchemaFaults(governanceSchema, config, allErrors);
  if (faults.length > 0) throw invalidConfiguration(path, faults);
  return Object.freeze(config as GovernanceConfig);
}
