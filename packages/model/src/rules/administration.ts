import { enumeration, invalid, onCreate, type Rule, rule, textRule } from "./rule.ts";

const strategy = "operatorFlagsMergeStrategy";

/** The rules of the version `admin`, which changes clusters and makes none. */
export const administrationRules: readonly Rule[] = [
  ...onCreate([
    rule("id", function* () {
      yield {
        code: "RequestNotAllowed",
        target: "",
        message: "Admin API does not allow cluster creation.",
      };
    }),
  ]),
  textRule(strategy, (value) =>
    value === "" || value === "merge" || value === "reset"
      ? undefined
      : invalid("", `invalid ${strategy} '${value}', can only be 'merge' or 'reset'`),
  ),
  enumeration(
    "properties.networkProfile.outboundType",
    (type) => `The provided outboundType '${type}' is invalid: must be UserDefinedRouting or Loadbalancer.`,
  ),
  enumeration("properties.maintenanceTask", () => "Invalid enum parameter."),
];
