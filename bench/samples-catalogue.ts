/** Returns the files of a catalogue with OpenShift's size: 50 imagestreams with 292 tags, 50 templates with 324 objects, 1 MB. */
export function catalogueFiles(): Readonly<Record<string, unknown>> {
  const names = Array.from({ length: 50 }, (_, at) => `sample-${at}`);
  return Object.fromEntries(
    names.flatMap((name, at) => [
      [`x86_64/${name}/imagestreams/${name}.json`, imageStream(name, at < 42 ? 6 : 5)],
      [`x86_64/${name}/templates/${name}.json`, template(name, at < 24 ? 7 : 6)],
    ]),
  );
}

const sentence =
  "Builds and runs applications; see the documentation of the builder image for what it reads. ";

function imageStream(name: string, tags: number): object {
  return {
    kind: "ImageStream",
    apiVersion: "image.openshift.io/v1",
    metadata: { name, annotations: { "openshift.io/display-name": name } },
    spec: {
      lookupPolicy: { local: false },
      tags: Array.from({ length: tags }, (_, at) => ({
        name: `${at}.0-ubi9`,
        annotations: {
          description: sentence.repeat(4),
          iconClass: `icon-${name}`,
          "openshift.io/display-name": `${name} ${at}`,
          "openshift.io/provider-display-name": "Keelson",
          tags: `builder,${name}`,
          version: `${at}`,
          sampleRepo: `https://example.com/${name}.git`,
        },
        from: { kind: "DockerImage", name: `registry.redhat.io/ubi9/${name}:${at}` },
        importPolicy: {},
        referencePolicy: { type: "Local" },
      })),
    },
  };
}

function template(name: string, objects: number): object {
  return {
    kind: "Template",
    apiVersion: "template.openshift.io/v1",
    metadata: { name, annotations: { description: sentence.repeat(2), tags: `quickstart,${name}` } },
    message: sentence.repeat(2),
    labels: { template: name },
    objects: Array.from({ length: objects }, (_, at) => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: `\${NAME}-${at}`, annotations: { description: sentence } },
      spec: {
        replicas: 1,
        selector: { matchLabels: { name: `\${NAME}-${at}` } },
        template: {
          metadata: { labels: { name: `\${NAME}-${at}` } },
          spec: {
            containers: [
              {
                name: "app",
                image: " ",
                ports: [{ containerPort: 8080 }],
                env: Array.from({ length: 12 }, (_, env) => ({
                  name: `SETTING_${env}`,
                  value: `\${VALUE_${env}}`,
                })),
                readinessProbe: { httpGet: { path: "/health", port: 8080 }, timeoutSeconds: 3 },
              },
            ],
          },
        },
      },
    })),
    parameters: [
      { name: "NAME", value: name },
      ...Array.from({ length: 12 }, (_, env) => ({
        name: `VALUE_${env}`,
        displayName: `Value ${env}`,
        description: sentence,
      })),
    ],
  };
}
