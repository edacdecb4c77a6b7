import { type InstallerKinds, installerKind, installerKinds, readCertificates } from "@keelson/env";
import { Type } from "typebox";
import { fromEmbeddedWorld } from "./embedded-world.ts";

const schema = Type.Object(
  {
    kind: Type.Literal("simulated"),
    clustersUrl: Type.String({
      pattern: "^https?://[^\\s/]+",
      description: "URL of the simulated clusters' API server",
    }),
    furtherClustersUrls: Type.Optional(
      Type.Array(Type.String({ pattern: "^https?://[^\\s/]+" }), {
        description:
          "URLs of the API servers of further processes of simulated clusters. A hash of its infrastructure ID assigns each cluster to a process",
      }),
    ),
    caFile: Type.String({ minLength: 1, description: "PEM file with the CA of its server certificate" }),
  },
  { additionalProperties: false },
);

const simulatedInstallerKind = installerKind({
  schema,
  async create({ clustersUrl, furtherClustersUrls = [], caFile }) {
    const caPem = readCertificates("installer.caFile", caFile).join("\n");
    // Imports one file of the package instead of its index, because the index also loads the simulated clusters, which the
    // service does not need.
    const { simulatedInstaller } = await fromEmbeddedWorld(
      () => import("@keelson/sim-openshift/simulated-installer"),
    );
    return simulatedInstaller({ clustersUrl, furtherClustersUrls, caPem });
  },
});

/** Installer kinds that a configuration of this program can select. */
export const programInstallerKinds: InstallerKinds = { simulated: simulatedInstallerKind, ...installerKinds };
