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
    caFile: Type.String({ minLength: 1, description: "PEM file with the CA of its server certificate" }),
  },
  { additionalProperties: false },
);

const simulatedInstallerKind = installerKind({
  schema,
  async create({ clustersUrl, caFile }) {
    const caPem = readCertificates("installer.caFile", caFile).join("\n");
    // Imports one file of the package instead of its index, because the index also loads the simulated clusters, which the
    // service does not need.
    const { simulatedInstaller } = await fromEmbeddedWorld(
      () => import("@keelson/sim-openshift/simulated-installer"),
    );
    return simulatedInstaller({ clustersUrl, caPem });
  },
});

/** Installer kinds that a configuration of this program can select. */
export const programInstallerKinds: InstallerKinds = { simulated: simulatedInstallerKind, ...installerKinds };
