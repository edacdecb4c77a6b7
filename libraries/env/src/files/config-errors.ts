import { defineErrors } from "@keelson/base";

/** Faults of configuration files; messages name the file and the member. */
export const configErrors = defineErrors({ InvalidConfiguration: { retry: "never" } });
