/**
 * Simplified model of the samples operator. It uses plain maps, without an API server and a clock. Tests compare the model with
 * real clusters.
 */

export interface ModelSpec {
  readonly managementState: "Managed" | "Unmanaged" | "Removed";
  readonly samplesRegistry: string;
  readonly architectures: readonly string[];
  readonly skippedImagestreams: readonly string[];
  readonly skippedTemplates: readonly string[];
}

/** Catalogue of the model. Streams have the source of each tag. Templates have the value of their parameter. */
export interface ModelCatalogue {
  readonly streams: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly templates: Readonly<Record<string, string>>;
}

export interface ModelRelease {
  readonly version: string;
  /** Catalogues by architecture name in Configs. */
  readonly catalogues: Readonly<Record<string, ModelCatalogue>>;
}

/** Change by a user, the API server or a different program. */
export type Edit =
  | { readonly kind: "configure"; readonly spec: Partial<ModelSpec> }
  | { readonly kind: "delete Config" }
  | { readonly kind: "delete sample"; readonly of: SampleKind; readonly name: string }
  /**
   * Changes the stream's first tag in alphabetical order, or the template's parameter. If `stripped` is true, the edit also
   * removes the operator's label.
   */
  | {
      readonly kind: "edit sample";
      readonly of: SampleKind;
      readonly name: string;
      readonly stripped: boolean;
    }
  | { readonly kind: "add tag"; readonly name: string }
  /** Result of an import: the imported tags, with an error message for each failed tag. */
  | { readonly kind: "import"; readonly name: string; readonly tags: Readonly<Record<string, string>> }
  /** Creates a stream that is not in the catalogue. It may have the label of managed samples. */
  | { readonly kind: "foreign stream"; readonly name: string; readonly managed: boolean }
  | { readonly kind: "foreign ConfigMap"; readonly name: string };

export type SampleKind = "imagestream" | "template";

/** Imagestream or template in namespace `openshift`. */
export interface ModelSample {
  managed: string | undefined;
  version: string | undefined;
  /** Sources of a stream's tags, or the parameter of a template. */
  content: Record<string, string>;
  /** Error messages of tags with a failed import. */
  failing: Readonly<Record<string, string>>;
}

export const forbiddenRegistry = "forbidden.io";
export const editedSource = "edited.io/a/b:1";
export const foreignData = { mine: "1" } as const;

const firstSpec: ModelSpec = {
  managementState: "Managed",
  samplesRegistry: "",
  architectures: ["x86_64"],
  skippedImagestreams: [],
  skippedTemplates: [],
};

/** Model of a cluster with a Config. The operator manages all samples. */
export class SamplesModel {
  release: ModelRelease;
  spec: ModelSpec = firstSpec;
  readonly samples: Record<SampleKind, Map<string, ModelSample>> = {
    imagestream: new Map(),
    template: new Map(),
  };
  /** ConfigMaps in the operator's namespace, with their data. */
  readonly configMaps = new Map<string, Readonly<Record<string, string>>>();
  /** Release that was last applied completely. */
  version = "";
  #isDeleted = false;
  #entered: string | undefined;
  #exist = false;
  /** Settings that were last applied to the samples. */
  #processed: ModelSpec | undefined;
  #invalid = false;
  /** Names of streams with failing imports. */
  #failing: readonly string[] = [];
  /** Names of failing streams that have a ConfigMap. */
  #reported: readonly string[] = [];

  constructor(release: ModelRelease) {
    this.release = release;
    this.settle();
  }

  /** Applies an edit. Returns false if the target of the edit does not exist. */
  apply(edit: Edit): boolean {
    switch (edit.kind) {
      case "configure":
        this.spec = { ...this.spec, ...edit.spec };
        return true;
      case "delete Config":
        this.#isDeleted = true;
        return true;
      case "delete sample":
        return this.samples[edit.of].delete(edit.name);
      case "edit sample": {
        const sample = this.samples[edit.of].get(edit.name);
        const [first] = Object.keys(sample?.content ?? {}).sort();
        if (!sample || first === undefined) return false;
        sample.content[first] = editedSource;
        if (edit.stripped) sample.managed = sample.version = undefined;
        return true;
      }
      case "add tag": {
        const stream = this.samples.imagestream.get(edit.name);
        if (stream) stream.content.mine = "quay.io/me/mine:1";
        return stream !== undefined;
      }
      case "import": {
        const stream = this.samples.imagestream.get(edit.name);
        if (stream) stream.failing = edit.tags;
        return stream !== undefined;
      }
      case "foreign stream": {
        if (this.samples.imagestream.has(edit.name)) return false;
        const managed = edit.managed ? "true" : undefined;
        const content = { latest: "quay.io/a/foreign:1" };
        this.samples.imagestream.set(edit.name, { managed, version: undefined, content, failing: {} });
        return true;
      }
      case "foreign ConfigMap":
        if (this.configMaps.has(edit.name)) return false;
        this.configMaps.set(edit.name, foreignData);
        return true;
    }
  }

  /** Applies the operator's reconciliation until nothing changes. */
  settle(): void {
    // A second reconcile is needed. It applies the rules that depend on the settings that the first reconcile has processed.
    for (let round = 0; round < 2; round++) this.#reconcile();
  }

  /** Returns the status and reason of each ClusterOperator condition. */
  get conditions(): Readonly<Record<string, string>> {
    const all = (reason: string) => ({
      Available: `True ${reason}`,
      Progressing: `False ${reason}`,
      Degraded: `False ${reason}`,
    });
    const [architecture] = this.spec.architectures;
    if (architecture !== undefined && !isKnown(architecture)) return all("UnsupportHWArchitecture");
    if (this.#state !== "Managed") return all(`Currently${this.#state}`);
    const Available = this.#exist ? "True " : "False SampleUpsertsPending";
    if (this.#invalid) return { Available, Progressing: "True ", Degraded: "True InvalidConfiguration" };
    const Progressing = this.#failing.length > 0 ? "False FailedImageImports" : "False ";
    return { Available, Progressing, Degraded: "False " };
  }

  /** Returns the effective management state. The state changes to Managed only if the configuration is valid. */
  get #state(): string {
    const { managementState } = this.spec;
    return managementState === "Managed" && !this.#isFollowed
      ? (this.#entered ?? "Managed")
      : managementState;
  }

  get #isFollowed(): boolean {
    return !this.#invalid || this.#processed !== undefined;
  }

  #reconcile(): void {
    if (this.#isDeleted) this.#replaceConfig();
    const { managementState } = this.spec;
    if (managementState === "Managed") this.#manage();
    else {
      this.#writeTagMap(this.spec);
      if (managementState === "Removed" && this.#entered !== "Removed") this.#remove();
      this.version = this.release.version;
    }
    if (managementState !== "Managed" || this.#isFollowed) this.#entered = managementState;
  }

  #replaceConfig(): void {
    this.#remove();
    this.#isDeleted = false;
    this.#entered = undefined;
    this.spec = firstSpec;
  }

  #remove(): void {
    for (const samples of Object.values(this.samples))
      for (const [name, { managed }] of samples) if (managed === "true") samples.delete(name);
    for (const name of this.#reported) this.configMaps.delete(name);
    this.#failing = this.#reported = [];
    this.#exist = false;
    this.#processed = undefined;
  }

  #manage(): void {
    this.#invalid = this.#isInvalid();
    const followed = this.#invalid ? this.#processed : this.spec;
    if (followed) {
      this.#writeTagMap(followed);
      this.#keep(followed);
      this.#track(followed);
      this.#exist = true;
    }
    if (this.#invalid) return;
    this.#processed = this.spec;
    this.version = this.release.version;
  }

  #isInvalid(): boolean {
    const { architectures, samplesRegistry } = this.spec;
    if (!architectures.every(isKnown)) return true;
    const before = this.#processed?.architectures ?? [];
    if (before.length > 0 && before.join() !== architectures.join()) return true;
    return samplesRegistry === forbiddenRegistry;
  }

  #keep(followed: ModelSpec): void {
    const { streams, templates } = this.#catalogue(followed);
    const keep = (of: SampleKind, name: string, skipped: readonly string[], wanted: object) => {
      const present = this.samples[of].get(name);
      if (skipped.includes(name)) {
        if (present?.managed === "true") present.managed = "false";
        return;
      }
      const failing = present?.failing ?? {};
      const content = of === "imagestream" ? { ...present?.content, ...wanted } : { ...wanted };
      this.samples[of].set(name, { managed: "true", version: this.release.version, content, failing });
    };
    for (const [name, tags] of Object.entries(streams)) {
      const sources = Object.entries(tags).map(([tag, from]) => [tag, inRegistry(from, followed)]);
      keep("imagestream", name, followed.skippedImagestreams, Object.fromEntries(sources));
    }
    for (const [name, value] of Object.entries(templates))
      keep("template", name, followed.skippedTemplates, { value });
  }

  #track(followed: ModelSpec): void {
    for (const name of this.#reported) this.configMaps.delete(name);
    const failing = new Map<string, Readonly<Record<string, string>>>();
    for (const [name, tags] of Object.entries(this.#catalogue(followed).streams)) {
      if (followed.skippedImagestreams.includes(name)) continue;
      const messages = Object.entries(this.samples.imagestream.get(name)?.failing ?? {});
      const known = messages.filter(([tag]) => tag in tags);
      if (known.length > 0) failing.set(name, Object.fromEntries(known));
    }
    this.#failing = [...failing.keys()];
    // A ConfigMap of a different owner stays unchanged, but the failure is still counted.
    this.#reported = this.#failing.filter((name) => !this.configMaps.has(name));
    for (const name of this.#reported) this.configMaps.set(name, failing.get(name) ?? {});
  }

  #writeTagMap({ architectures: [architecture = "x86_64"] }: ModelSpec): void {
    if (!isKnown(architecture)) return;
    const { streams } = this.#catalogue({ ...this.spec, architectures: [architecture] });
    const entries = Object.entries(streams)
      .filter(([name]) => !name.startsWith("jenkins"))
      .flatMap(([name, tags]) =>
        Object.entries(tags)
          .filter(([, from]) => from.includes("/"))
          .map(([tag, from]) => [`${name}_${tag}`, from]),
      );
    this.configMaps.set("imagestreamtag-to-image", Object.fromEntries(entries));
  }

  #catalogue({ architectures: [architecture = "x86_64"] }: ModelSpec): ModelCatalogue {
    const found = this.release.catalogues[architecture === "amd64" ? "x86_64" : architecture];
    if (!found) throw new Error(`the model has no catalogue for ${architecture}`);
    return found;
  }
}

function isKnown(architecture: string): boolean {
  return ["x86_64", "amd64", "ppc64le"].includes(architecture);
}

/**
 * Returns a tag's source in the override's registry. Images of the model have the form `registry/repository/image`. A reference
 * to a second tag stays unchanged.
 */
function inRegistry(from: string, { samplesRegistry }: ModelSpec): string {
  return samplesRegistry === "" || !from.includes("/")
    ? from
    : samplesRegistry + from.slice(from.indexOf("/"));
}
