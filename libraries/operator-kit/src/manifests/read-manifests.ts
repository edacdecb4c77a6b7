import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isPlainObject } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { parseAllDocuments } from "yaml";

/** Object of a release, with the name of its file. */
export interface OperatorManifest {
  readonly file: string;
  readonly object: KubeObject;
}

/** Values for the placeholders of manifests in a release. */
export interface ManifestValues {
  /** Component name for files without a run level in their name. Such a file gets the name `0000_50_{component}_{file}`. */
  readonly component: string;
  /** Images that replace the placeholder images of manifests. The keys are the placeholders. */
  readonly images: Readonly<Record<string, string>>;
  /** Replaces `0.0.1-snapshot`. */
  readonly version: string;
  /** Replaces `0.0.1-snapshot-kubernetes`. */
  readonly kubernetesVersion: string;
}

/**
 * Reads the manifests of an operator. Returns every document of a directory's YAML files in file order, as in
 * `oc adm release new`. The caller owns the returned objects.
 * @throws Error naming the file of a document that is not an object
 */
export function readManifests(directory: string, values: ManifestValues): readonly OperatorManifest[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith(".yaml"))
    .toSorted()
    .flatMap((file) =>
      parseAllDocuments(readFileSync(join(directory, file), "utf8")).map((document) => {
        const object: unknown = document.toJS();
        const [problem] = document.errors;
        if (problem) throw new Error(`${join(directory, file)}: ${problem.message}`);
        if (!isKubeObject(object))
          throw new Error(`${join(directory, file)}: a document without apiVersion, kind or metadata.name`);
        return { file: releaseFile(file, values.component), object: filled(object, values) };
      }),
    );
}

function releaseFile(file: string, component: string): string {
  return /^\d{4}_\d{2}_/.test(file) ? file : `0000_50_${component}_${file}`;
}

function isKubeObject(value: unknown): value is KubeObject {
  return (
    isPlainObject(value) &&
    typeof value.apiVersion === "string" &&
    typeof value.kind === "string" &&
    isPlainObject(value.metadata) &&
    typeof value.metadata.name === "string"
  );
}

function filled<T>(value: T, values: ManifestValues): T {
  return JSON.parse(JSON.stringify(value), (_key, member: unknown) => {
    if (typeof member !== "string") return member;
    const image = Object.hasOwn(values.images, member) ? values.images[member] : undefined;
    return (
      image ??
      member
        .replaceAll("0.0.1-snapshot-kubernetes", values.kubernetesVersion)
        .replaceAll("0.0.1-snapshot", values.version)
    );
  });
}
