import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Temporary directory with catalogues by architecture. */
export interface CatalogueDirectory extends AsyncDisposable {
  readonly directory: string;
  /** Writes a file. Values other than strings are written as JSON. `undefined` removes the file. */
  write(path: string, value: unknown): Promise<void>;
}

export async function catalogueDirectory(
  files: Readonly<Record<string, unknown>> = {},
): Promise<CatalogueDirectory> {
  const directory = await mkdtemp(join(tmpdir(), "catalogue-"));
  const write = async (path: string, value: unknown) => {
    const file = join(directory, path);
    if (value === undefined) return rm(file, { recursive: true, force: true });
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof value === "string" ? value : JSON.stringify(value));
  };
  for (const [path, value] of Object.entries(files)) await write(path, value);
  return { directory, write, [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }) };
}

/** Returns an imagestream with the given tags. The source of a tag is either an image or a second tag. */
export function streamSample(name: string, tags: Readonly<Record<string, string>>): object {
  return {
    kind: "ImageStream",
    apiVersion: "image.openshift.io/v1",
    metadata: { name, annotations: { "openshift.io/display-name": name } },
    spec: {
      lookupPolicy: { local: false },
      tags: Object.entries(tags).map(([tag, from]) => ({
        name: tag,
        annotations: { description: `${name} ${tag}` },
        from: { kind: from.includes("/") ? "DockerImage" : "ImageStreamTag", name: from },
        importPolicy: {},
        referencePolicy: { type: "Local" },
      })),
    },
  };
}

export function templateSample(name: string, value = name): object {
  return {
    kind: "Template",
    apiVersion: "template.openshift.io/v1",
    metadata: { name, annotations: { description: name } },
    objects: [{ apiVersion: "v1", kind: "Service", metadata: { name: "app" }, spec: { ports: [] } }],
    parameters: [{ name: "NAME", value }],
    labels: { template: name },
  };
}

/** Returns the files of a catalogue with three imagestreams and two templates. */
export function smallCatalogue(architecture = "x86_64"): Readonly<Record<string, unknown>> {
  const at = (path: string) => `${architecture}/${path}`;
  return {
    [at("ruby/imagestreams/ruby.json")]: streamSample("ruby", {
      "3.3": "registry.redhat.io/ubi9/ruby-33:latest",
      latest: "3.3",
    }),
    [at("nodejs/imagestreams/nodejs.json")]: streamSample("nodejs", {
      "22": "registry.access.redhat.com/ubi9/nodejs-22:latest",
    }),
    [at("jenkins/imagestreams/jenkins.json")]: streamSample("jenkins", {
      "2": "quay.io/openshift/jenkins:2",
    }),
    [at("rails/templates/rails.json")]: templateSample("rails"),
    [at("cake/templates/cake.json")]: templateSample("cakephp"),
  };
}
