import { type ApiVersion, type OpenShiftCluster, toExternal } from "@keelson/model";
import { indentation } from "../http/messages/render-json.ts";

/**
 * Rendered JSON by cluster object. The cluster object can be the key, because all reads of one document version return the same
 * object.
 */
const texts = new WeakMap<OpenShiftCluster, Map<string, Buffer>>();

/**
 * Returns the JSON of a cluster in the API version `version`. The JSON is rendered once for each stored state of the document,
 * and then cached.
 */
export function clusterText(version: ApiVersion, cluster: OpenShiftCluster): Buffer {
  return remembered(cluster, version.name, () => `${render(version, cluster)}\n`);
}

/** Returns the JSON of a page: `{"value": [...], "nextLink": "..."}`. The indentation is the same as in all other responses. */
export function clusterListText(
  version: ApiVersion,
  clusters: readonly OpenShiftCluster[],
  nextLink: string | undefined,
): Buffer {
  const link = nextLink === undefined ? "" : `,\n${margin(1)}"nextLink": ${JSON.stringify(nextLink)}`;
  const list = clusters.flatMap((cluster, index) => [
    index === 0 ? listStart : separator,
    memberText(version, cluster),
  ]);
  const start = list.length === 0 ? [emptyList] : list;
  const end = `${list.length === 0 ? "" : `\n${margin(1)}]`}${link}\n}\n`;
  return Buffer.concat([...start, Buffer.from(end)]);
}

const listStart = Buffer.from(`{\n${margin(1)}"value": [`);
const emptyList = Buffer.from(`{\n${margin(1)}"value": []`);
const separator = Buffer.from(",");

function memberText(version: ApiVersion, cluster: OpenShiftCluster): Buffer {
  return remembered(cluster, `${version.name} in a list`, () =>
    `\n${render(version, cluster)}`.replaceAll("\n", `\n${margin(2)}`),
  );
}

function render(version: ApiVersion, cluster: OpenShiftCluster): string {
  return JSON.stringify(toExternal(version, cluster, "read"), null, indentation);
}

function margin(depth: number): string {
  return " ".repeat(depth * indentation);
}

function remembered(cluster: OpenShiftCluster, form: string, render: () => string): Buffer {
  const ofCluster = texts.get(cluster) ?? new Map<string, Buffer>();
  texts.set(cluster, ofCluster);
  const text = ofCluster.get(form) ?? Buffer.from(render());
  ofCluster.set(form, text);
  return text;
}
