type Schema = Readonly<Record<string, unknown>>;

// Returns the schema of a string field. Accepts null because Go's decoder treats null as an unset field.
const text = (description: string): Schema => ({ type: "string", nullable: true, description });
const integer = (description: string): Schema => ({
  type: "integer",
  format: "int32",
  nullable: true,
  description,
});
const list = (description: string, items: Schema): Schema => ({
  type: "array",
  nullable: true,
  description,
  items,
});
const object = (description: string, properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  nullable: true,
  description,
  properties,
});

const target = (description: string) =>
  object(description, {
    kind: text("Kind of the target. Only Service is supported."),
    name: text("Name of the Service in the namespace of the route."),
    weight: integer("Share of the requests relative to the other targets, from 0 to 256."),
  });

const headers = (description: string) =>
  list(
    description,
    object("Change of one HTTP header.", {
      name: text("Name of the header."),
      action: object("Set or Delete.", {
        type: text("Set or Delete."),
        set: object("New value of the header.", { value: text("Value of the header.") }),
      }),
    }),
  );

const wildcardPolicy = text("None, or Subdomain for all hosts of the subdomain.");

/**
 * Schema of routes. It is published in OpenAPI documents and detects values of a wrong type. Source: openshift/api
 * `route/v1/types.go`.
 */
export const routeSchema: Schema = {
  type: "object",
  description: "A route exposes a Service at a host name outside of the cluster.",
  properties: {
    spec: object("Desired state of the route.", {
      host: text("Host name. The server generates a name if the field is empty."),
      subdomain: text("First label of the host name, below the domain of each router."),
      path: text("Path prefix of the requests that the router forwards."),
      to: target("Service that receives the requests."),
      alternateBackends: list(
        "Up to three more Services that share the requests by weight.",
        target("Service with its weight."),
      ),
      port: object("Port of the endpoints. Default: all ports.", {
        targetPort: {
          "x-kubernetes-int-or-string": true,
          nullable: true,
          description: "Name or number of the target port.",
        },
      }),
      tls: object("TLS at the router.", {
        termination: text("edge, passthrough or reencrypt."),
        certificate: text("Certificate in PEM."),
        key: text("Private key of the certificate in PEM."),
        caCertificate: text("Certificates of the certificate's CAs in PEM."),
        destinationCACertificate: text("CA of the endpoints' certificates, for reencrypt."),
        insecureEdgeTerminationPolicy: text("Handling of HTTP requests: None, Allow or Redirect."),
        externalCertificate: object("Secret with the certificate and its key.", {
          name: text("Name of the Secret."),
        }),
      }),
      wildcardPolicy,
      httpHeaders: object("Changes of HTTP headers.", {
        actions: object("Changes of requests and responses.", {
          request: headers("Changes of requests."),
          response: headers("Changes of responses."),
        }),
      }),
    }),
    status: object("Observed state of the route.", {
      ingress: list(
        "Routers that serve the route.",
        object("State of the route at one router.", {
          host: text("Host name at which the router serves the route."),
          routerName: text("Name of the router."),
          routerCanonicalHostname: text("Host name of the router, for CNAME records."),
          wildcardPolicy,
          conditions: list(
            "Conditions at this router.",
            object("Condition.", {
              type: text("Admitted or UnservableInFutureVersions."),
              status: text("True, False or Unknown."),
              reason: text("Reason of the last transition as one word."),
              message: text("Description of the last transition."),
              lastTransitionTime: { ...text("Time of the last transition."), format: "date-time" },
            }),
          ),
        }),
      ),
    }),
  },
};
