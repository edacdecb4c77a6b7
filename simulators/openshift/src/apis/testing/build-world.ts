import assert from "node:assert/strict";
import type { KubeObject } from "@keelson/apiserver";
import { objectAt, stringAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "../../base/resources.ts";
import { buildControllers } from "../builds/build-controllers.ts";
import { buildConfigs, builds } from "../builds/build-refs.ts";
import { imageStreams } from "../images/image-resources.ts";
import { type ApiResponse, ApiWorld } from "./api-world.ts";

const namespace = "default";

/** Cluster that runs builds in the namespace `default`, without a kubelet. For tests. */
export class BuildWorld implements AsyncDisposable {
  readonly base = `/apis/build.openshift.io/v1/namespaces/${namespace}`;
  readonly api: ApiWorld;

  private constructor(api: ApiWorld) {
    this.api = api;
  }

  /** Starts the cluster with the image stream `app`. */
  static async start(): Promise<BuildWorld> {
    const world = new BuildWorld(await ApiWorld.start(buildControllers));
    await world.createStream("app");
    return world;
  }

  get client(): ApiWorld["client"] {
    return this.api.client;
  }

  async createStream(name: string, inNamespace = namespace): Promise<void> {
    await this.client.create(imageStreams, {
      apiVersion: "image.openshift.io/v1",
      kind: "ImageStream",
      metadata: { namespace: inNamespace, name },
    });
  }

  async createConfig(name: string, spec: object = {}): Promise<void> {
    await this.client.create(buildConfigs, {
      apiVersion: "build.openshift.io/v1",
      kind: "BuildConfig",
      metadata: { namespace, name, labels: { app: "test" } },
      spec: {
        source: { type: "Git", git: { uri: "https://example.com/app.git" } },
        strategy: { type: "Docker", dockerStrategy: { env: [{ name: "A", value: "1" }] } },
        output: { to: { kind: "ImageStreamTag", name: "app:v1" } },
        ...spec,
      },
    });
  }

  instantiate(name: string, request: object = {}): Promise<ApiResponse> {
    return this.#request(`buildconfigs/${name}/instantiate`, name, request);
  }

  clone(name: string, request: object = {}): Promise<ApiResponse> {
    return this.#request(`builds/${name}/clone`, name, request);
  }

  /** Creates a BuildConfig and its first build. */
  async run(name: string, spec: object = {}): Promise<void> {
    await this.createConfig(name, spec);
    const { status, body } = await this.instantiate(name);
    assert.equal(status, 201, stringAt(body, "message"));
  }

  podOf(name: string): Promise<KubeObject> {
    return eventually(() => this.client.get(resources.pods, { namespace, name: `${name}-build` }));
  }

  findPod(name: string): Promise<KubeObject | undefined> {
    return this.client.find(resources.pods, { namespace, name: `${name}-build` });
  }

  /** Sets the phase of a build's pod, as a kubelet does. */
  async setPodPhase(name: string, phase: string): Promise<void> {
    const pod = await this.podOf(name);
    const status = { ...objectAt(pod, "status"), phase };
    await this.client.updateStatus(resources.pods, { ...pod, status });
  }

  /** Waits for the phase of a build and returns the build. */
  phase(name: string, expected: string): Promise<KubeObject> {
    return eventually(async () => {
      const build = await this.client.get(builds, { namespace, name });
      assert.equal(stringAt(build, "status", "phase"), expected, JSON.stringify(build.status));
      return build;
    });
  }

  #request(path: string, name: string, request: object): Promise<ApiResponse> {
    return this.api.call("POST", `${this.base}/${path}`, {
      body: { apiVersion: "build.openshift.io/v1", kind: "BuildRequest", metadata: { name }, ...request },
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.api[Symbol.asyncDispose]();
  }
}
