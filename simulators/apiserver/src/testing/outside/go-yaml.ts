import { parse } from "yaml";

/** Parses YAML like Kubernetes' Go clients: as YAML 1.1, with dates as strings. */
export function readGoYaml(text: string): unknown {
  return parse(text, {
    version: "1.1",
    merge: true,
    uniqueKeys: false,
    logLevel: "error",
    customTags: (tags) =>
      tags.filter((tag) => typeof tag === "string" || !/timestamp|binary|set|omap|pairs/.test(tag.tag)),
  });
}
