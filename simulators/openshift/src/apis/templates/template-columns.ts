import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import { computedColumn } from "../columns.ts";

const descriptionWidth = 80;

/** Table columns of Templates (openshift/openshift-apiserver pkg/template/printers). */
export const templateColumns = [
  computedColumn("Description", ({ metadata }) => {
    const [first = "", ...more] = (metadata.annotations?.description ?? "").split("\n");
    const line = more.length > 0 ? `${first}...` : first;
    return line.length > descriptionWidth ? `${line.slice(0, descriptionWidth - 3).trim()}...` : line;
  }),
  computedColumn("Parameters", parametersCell),
  computedColumn("Objects", (template) => listAt(template, "objects").length, "integer"),
];

function parametersCell(template: KubeObject): string {
  const parameters = listAt(template, "parameters");
  const open = parameters.filter((each) => !stringAt(each, "value"));
  const generated = open.filter((each) => stringAt(each, "generate")).length;
  const blank = open.length - generated;
  if (blank > 0) return `${parameters.length} (${blank} blank)`;
  return generated > 0 ? `${parameters.length} (${generated} generated)` : `${parameters.length} (all set)`;
}
