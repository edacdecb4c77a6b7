import { Option } from "commander";

/** `-o json`: prints JSON for scripts. */
export function outputOption(): Option {
  return new Option("-o, --output <format>", "output format").choices(["table", "json"]).default("table");
}
