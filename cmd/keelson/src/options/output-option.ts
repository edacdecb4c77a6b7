import { Option } from "commander";

/** `-o json` for scripts. */
export function outputOption(): Option {
  return new Option("-o, --output <format>", "how to print").choices(["table", "json"]).default("table");
}
