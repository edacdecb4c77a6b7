import type { Request } from "./api.ts";

export const configMaps = "/api/v1/namespaces/{ns}/configmaps";
export const pods = "/api/v1/namespaces/{ns}/pods";
export const serviceAccounts = "/api/v1/namespaces/{ns}/serviceaccounts";
export const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";

export const get = (path: string, headers: Readonly<Record<string, string>> = {}): Request => ({
  method: "GET",
  path,
  headers,
});
export const post = (path: string, body: unknown): Request => ({ method: "POST", path, body });
export const put = (path: string, body: unknown): Request => ({ method: "PUT", path, body });
export const remove = (path: string, body?: unknown): Request => ({ method: "DELETE", path, body });

const patch =
  (type: string) =>
  (path: string, body: unknown): Request => ({
    method: "PATCH",
    path,
    body,
    headers: { "content-type": `application/${type}` },
  });
export const mergePatch = patch("merge-patch+json");
export const jsonPatch = patch("json-patch+json");
export const strategicPatch = patch("strategic-merge-patch+json");
export const apply = patch("apply-patch+yaml");

export const configMap = (name: string, data: object = {}, metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...metadata },
  data,
});

const containers = [{ name: "main", image: "example.com/app:1" }];

export const pod = (name: string, metadata: object = {}, spec: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, ...metadata },
  spec: { containers, ...spec },
});

export const deployment = (name: string, replicas = 1) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers } },
  },
});
