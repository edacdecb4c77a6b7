import { checkOutboundType } from "./network.ts";
import { enumeration, invalid, onCreate, type Rule, rule, textRule } from "./rule.ts";

const strategy = "operatorFlagsMergeStrategy";

/** Rules of the API version `admin`. Requests with this version change clusters but do not create them. */
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
  textRule("properties.networkProfile.outboundType", checkOutboundType),
  enumeration("properties.maintenanceTask", () => "Invalid enum parameter."),
];
