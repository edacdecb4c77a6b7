import assert from "node:assert/strict";
import { isPlainObject } from "@keelson/base";
import type { Api, Request } from "./api.ts";

/** Conformance test of the Kubernetes API. It can run against any server. */
export interface ConformanceCase {
  readonly name: string;
  /** True if the case needs the controllers of kube-controller-manager. kube-apiserver alone does not run them. */
  readonly needsControllers?: boolean;
  readonly run: (api: Api) => Promise<void>;
}

/** Request and expected parts of the response. */
export interface Exchange {
  readonly name: string;
  /** Requests that are sent first. All of them must succeed. */
  readonly given?: readonly Request[];
  readonly when: Request;
  readonly status: number;
  /** Expected part of the response body, compared by `matches`. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | RegExp>>;
  readonly needsControllers?: boolean;
}

export function exchange(wanted: Exchange): ConformanceCase {
  const { name, given = [], when, status, body, headers = {}, needsControllers = false } = wanted;
  return {
    name,
    needsControllers,
    async run(api) {
      await all(api, given);
      const response = await api.call(when);
      assert.equal(response.status, status, response.text.slice(0, 500));
      matches(response.body, inNamespace(body, api.namespace));
      for (const [header, value] of Object.entries(headers)) matches(response.headers[header], value, header);
    },
  };
}

/** Sends requests that must succeed. Returns the response to the last request. */
export async function all(api: Api, requests: readonly Request[]): Promise<unknown> {
  let last: unknown;
  for (const request of requests) {
    const response = await api.call(request);
    const sent = `${request.method} ${request.path}`;
    assert.ok(response.status < 300, `${sent}: ${response.status} ${response.text.slice(0, 500)}`);
    last = response.body;
  }
  return last;
}

/**
 * Asserts that `actual` contains `expected`. Objects may have additional fields. Lists must have the same length. Regular
 * expressions match strings. `absent` matches a missing field.
 */
export function matches(actual: unknown, expected: unknown, path = "body"): void {
  if (expected === undefined) return;
  if (expected === absent) assert.equal(actual, undefined, `${path} is there`);
  else if (expected instanceof RegExp) assert.match(String(actual), expected, path);
  else if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${path} is no list: ${JSON.stringify(actual)}`);
    assert.equal(actual.length, expected.length, `${path}: ${JSON.stringify(actual)}`);
    for (const [at, each] of expected.entries()) matches(actual[at], each, `${path}[${at}]`);
  } else if (isPlainObject(expected)) {
    assert.ok(isPlainObject(actual), `${path} is no object: ${JSON.stringify(actual)}`);
    for (const [member, each] of Object.entries(expected)) matches(actual[member], each, `${path}.${member}`);
  } else assert.deepEqual(actual, expected, path);
}

/** Matches a missing field. */
export const absent = Symbol("absent");

function inNamespace(value: unknown, namespace: string): unknown {
  if (typeof value === "string") return value.replaceAll("{ns}", namespace);
  if (Array.isArray(value)) return value.map((each) => inNamespace(each, namespace));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, inNamespace(each, namespace)]),
  );
}
