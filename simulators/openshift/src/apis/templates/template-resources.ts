import type { AggregatedResource } from "@keelson/apiserver";
import { textColumn } from "../columns.ts";
import { processTemplate, templateGroup } from "./process-template.ts";
import { templateColumns } from "./template-columns.ts";

const resource = (
  kind: string,
  plural: string,
  details: Partial<AggregatedResource> = {},
): AggregatedResource => ({
  group: templateGroup,
  version: "v1",
  kind,
  plural,
  namespaced: true,
  ...details,
});

/** Resources of the template API: stored templates, and the command that processes a template. */
export const templateResources: readonly AggregatedResource[] = [
  resource("Template", "templates", {
    columns: templateColumns,
  }),
  resource("TemplateInstance", "templateinstances", {
    status: true,
    columns: [textColumn("Template", ".spec.template.metadata.name")],
  }),
  resource("BrokerTemplateInstance", "brokertemplateinstances", { namespaced: false }),
  resource("Template", "processedtemplates", {
    singular: "processedtemplate",
    handlers: {
      create: async (_call, template) => processTemplate(template),
    },
  }),
];
